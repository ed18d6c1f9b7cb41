import { variables } from '@sluice/server'

const width = Math.max(...variables.map(({ name }) => name.length))

/** Help of `sluice serve`, which reads its settings only from the environment. */
export const serveHelp = `sluice serve: serve the API for the chains in the environment

${variables.map(({ meaning, name }) => `  ${name.padEnd(width)}  ${meaning}`).join('\n')}

Examples:
  RPC_8453=https://node.example DEPLOYMENTS=deployments.json sluice serve
  sluice devnet --out deployments.json`
