/**
 * Commands that run until they are stopped, or that change a chain. Each is a separate program with its own help, and
 * needs a checkout of the repository: the published package does not contain the server or the contracts.
 */
export const programs = {
  serve: 'Serve the API for the chains in the environment (RPC_<chainId>, DEPLOYMENTS)',
  devnet: 'Start four local chains; `devnet start` also serves the API on them',
  deploy: 'Deploy the contracts to a chain',
  check: "Check a chain's config, and what Sluice computes against what the pools do",
  announce:
    'Announce pools of Uniswap V4 whose hooks keep all reserves, so that quotes can use them',
} as const
