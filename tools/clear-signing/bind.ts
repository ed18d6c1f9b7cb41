import { routerAbi, routerV2Abi } from '@sluice/abi'
import { Addresses, type Deployments } from '@sluice/domain'
import { getAddress } from 'viem'
import { type Deployment, describeContract, describePermit2 } from './describe.js'

const abis = { '1.0.0': routerAbi, '2.0.0': routerV2Abi } as const

/** Returns the descriptors of the deployed Routers by file name, bound to their addresses. */
export function bind(deployments: Deployments.Deployments): Readonly<Record<string, object>> {
  const contracts = Object.entries(abis).flatMap(([version, abi]) => {
    const routers = routersOf(deployments, version)
    if (routers.length === 0) return []
    const contractName = `Sluice Router ${version}`
    const descriptor = describeContract(abi, { contractName, deployments: routers })
    return [[`calldata-SluiceRouter-${version}.json`, descriptor] as const]
  })
  const routers = routersOf(deployments, '2.0.0')
  return {
    ...Object.fromEntries(contracts),
    ...(routers.length > 0 && { 'eip712-SluiceRouter-2.0.0.json': describePermit2(routers) }),
  }
}

function routersOf({ chains }: Deployments.Deployments, version: string): readonly Deployment[] {
  return Object.entries(chains).flatMap(([chainId, { versions }]) => {
    const router = versions[version]?.router
    if (router === undefined || Addresses.equal(router, Addresses.zero)) return []
    return [{ chainId: Number(chainId), address: getAddress(router) }]
  })
}
