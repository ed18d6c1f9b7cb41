import { type Address, getAddress, isAddress } from 'viem'
import { WrongFlagError } from '../WrongFlagError.js'

/** Known routers by name: those with one address on all chains, and those with others on some. */
const known: Readonly<Record<string, readonly Address[]>> = {
  'universal-router': [
    '0x66a9893cC07D91D95644AEDD05D03f95e1dBA8Af',
    '0x6fF5693b99212Da76ad316178A184AB56D299b43',
    '0x851116D9223fabED8E56C0E6b8Ad0c31d98B3507',
    '0xA51afAFe0263b40EdaEf0Df8781eA9aa03E381a3',
    '0x3fC91A3afd70395Cd496C647d5a6CC9D4B2b7FAD',
  ],
  'swap-router-02': [
    '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45',
    '0x2626664c2603336E57B271c5C0b26F421741e481',
  ],
  '0x': [
    '0xDef1C0ded9bec7F1a1670819833240f027b25EfF',
    '0xDEF1ABE32c034e558Cdd535791643C58a13aCC10',
    '0x0000000000001fF3684f28c67538d4D072C22734',
  ],
  '1inch': [
    '0x111111125421cA6dc452d289314280a0f8842A65',
    '0x1111111254EEB25477B68fb85Ed929f73A960582',
  ],
  cow: ['0x9008D19f58AAbD9eD0D60971565AA8510560ab41'],
  kyberswap: ['0x6131B5fae19EA4f9D964eAc0408E4408b66337b5'],
  odos: [
    '0xCf5540fFFCdC3d510B18bFcA6d2b9987b0772559',
    '0x19cEeAd7105607Cd444F5ad10dd51356436095a1',
    '0xCa423977156BB05b13A2BA3b76Bc5419E2fE9680',
    '0xa669e7A0d4b3e4Fa48af2dE86BD4CD7126Be4e13',
    '0x0D05a7D3448512B78fa8A9e46c4872C88C4a0D05',
  ],
  lifi: ['0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE'],
  paraswap: [
    '0x6A000F20005980200259B80c5102003040001068',
    '0xDEF171Fe48CF0115B1d80b88dc8eAB59176FEe57',
  ],
}

/** Names that `--routers` takes beside addresses. */
export const routerNames: readonly string[] = Object.keys(known)

const names: ReadonlyMap<Address, string> = new Map(
  Object.entries(known).flatMap(([name, addresses]) =>
    addresses.map((address) => [getAddress(address), name] as const),
  ),
)

/** Name of a router, or its address. */
export function nameOfRouter(router: Address): string {
  return names.get(router) ?? router
}

/**
 * Reads a list of names and addresses.
 *
 * @throws WrongFlagError if one of them is neither.
 */
export function parseRouters(text: string): readonly Address[] {
  return text.split(',').flatMap((each): readonly Address[] => {
    const name = each.trim()
    if (Object.hasOwn(known, name)) return known[name]!.map((address) => getAddress(address))
    if (isAddress(name, { strict: false })) return [getAddress(name)]
    throw new WrongFlagError(
      `--routers takes addresses and ${routerNames.join(', ')}, not "${name}".`,
    )
  })
}
