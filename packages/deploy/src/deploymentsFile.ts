import { randomUUID } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Deployments } from '@sluice/domain'
import { DeployError } from './errors.js'

/** Merges the chains of two files, and the versions of chains that are in both. The second file wins on equal keys. */
export function mergeDeployments(
  first: Deployments.Deployments,
  second: Deployments.Deployments,
): Deployments.Deployments {
  const chains = { ...first.chains }
  for (const [chainId, chain] of Object.entries(second.chains))
    chains[chainId] = {
      ...chain,
      versions: { ...first.chains[chainId]?.versions, ...chain.versions },
    }
  return { schema: 1, chains }
}

/** Adds chains to a deployments file, or creates it. Readers never see a partly written file. */
export function addToDeploymentsFile(path: string, added: Deployments.Deployments) {
  const merged = mergeDeployments(readDeployments(path), added)
  const temporary = `${path}.${randomUUID()}`
  writeFileSync(temporary, `${JSON.stringify(merged, null, 2)}\n`)
  renameSync(temporary, path)
}

/**
 * Checks that the deployments file can be written, before any transaction is sent.
 *
 * @throws DeployError `BAD_DEPLOYMENTS_FILE`
 */
export function demandDeploymentsFile(path: string): void {
  readDeployments(path)
  try {
    accessSync(dirname(path), constants.W_OK)
  } catch (error) {
    throw new DeployError(
      'BAD_DEPLOYMENTS_FILE',
      `${path} cannot be written: ${(error as Error).message}. Nothing was sent.`,
    )
  }
}

/**
 * Reads a deployments file.
 *
 * @throws DeployError `BAD_DEPLOYMENTS_FILE`
 */
export function readDeploymentsFile(path: string): Deployments.Deployments {
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    throw new DeployError('BAD_DEPLOYMENTS_FILE', `${path} cannot be read (${code}).`)
  }
  try {
    return Deployments.parse(JSON.parse(content))
  } catch (error) {
    const reason = (error as Error).message
    throw new DeployError('BAD_DEPLOYMENTS_FILE', `${path} is not a deployments file: ${reason}`)
  }
}

/** Reads the file that a deployment adds to. There may be none yet. */
function readDeployments(path: string): Deployments.Deployments {
  if (!existsSync(path)) return { schema: 1, chains: {} }
  try {
    return readDeploymentsFile(path)
  } catch (error) {
    const reason = (error as Error).message
    throw new DeployError('BAD_DEPLOYMENTS_FILE', `${reason} The file was not changed.`)
  }
}
