import { describe, expect, test } from 'vitest'
import { deployments } from '../../test/deployments.js'
import * as Deployments from './Deployments.js'

/** A JSON copy of the file with one member changed. */
function changed(path: readonly string[], value: unknown): unknown {
  const copy = JSON.parse(JSON.stringify(deployments))
  const parent = path.slice(0, -1).reduce((object, key) => object[key], copy)
  const last = path.at(-1)!
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return copy
}

describe('Deployments.parse', () => {
  test('default: parses its own JSON to the same value', () => {
    expect(Deployments.parse(JSON.parse(JSON.stringify(deployments)))).toEqual(deployments)
  })

  const contracts = ['chains', '8453', 'versions', '1.0.0']
  test.each([
    [['schema'], 2, '$.schema must be 1'],
    [['schema'], undefined, '$.schema is missing'],
    [['more'], 1, '$.more is unknown'],
    [['chains'], [], '$.chains must be an object'],
    [['chains', '08453'], {}, '$.chains.08453 must be named by a chain id'],
    [['chains', '8453', 'name'], '', '$.chains.8453.name must be a string that is not empty'],
    [['chains', '8453', 'usdc'], null, '$.chains.8453.usdc must be an address'],
    [['chains', '8453', 'slu'], undefined, '$.chains.8453.slu is missing'],
    [['chains', '8453', 'blockTimeMs'], 0, '$.chains.8453.blockTimeMs must be a positive integer'],
    [['chains', '8453', 'blockTime'], 2, '$.chains.8453.blockTime is unknown'],
    [[...contracts, 'router'], '0x12', '$.chains.8453.versions.1.0.0.router must be an address'],
    [[...contracts, 'quoter'], undefined, '$.chains.8453.versions.1.0.0.quoter is missing'],
  ])('error: %j = %j', (path, value, message) => {
    expect(() => Deployments.parse(changed(path, value))).toThrow(`Deployments file: ${message}.`)
  })

  test.each([null, [], 'text', 1])('error: %j is not a deployments file', (value) => {
    expect(() => Deployments.parse(value)).toThrow(Deployments.InvalidDeploymentsError)
  })
})
