/** A venue kind of `contracts/src/types/VenueKind.sol`, with TypeScript names. */
export type VenueKindRow = {
  readonly name: string
  readonly number: number
  readonly traits: readonly string[]
}

/** Each kind has exactly one trait of each group: how a pool's address is known, and how the pool gets its input. */
const oneOf = [
  ['derived', 'listed', 'attested'],
  ['callback', 'push', 'allowance'],
] as const

/**
 * Reads the table of venue kinds from its Solidity source.
 *
 * @throws Error if the table is incomplete: a kind without a row, a row without a kind, or a trait without a column.
 */
export function readVenueKinds(source: string): readonly VenueKindRow[] {
  const columns = [...source.matchAll(/uint256 internal constant (\w+) = 1 << \d+;/g)].map(
    ([, name]) => name!,
  )
  const rows = new Map(
    [...source.matchAll(/\(([A-Z0-9_| ]+)\) << VenueKind\.unwrap\((\w+)\)/g)].map(
      ([, traits, name]) => [name!, traits!.split(' | ')],
    ),
  )
  const kinds = [
    ...source.matchAll(/VenueKind internal constant (\w+) = VenueKind\.wrap\((\d+)\);/g),
  ].map(([, name, number]) => ({ name: name!, number: Number(number) }))
  if (kinds.length === 0) throw new Error('VenueKind.sol has no kinds.')
  if (rows.size !== kinds.length)
    throw new Error(`VenueKind.sol has ${kinds.length} numbers and ${rows.size} rows.`)
  if (new Set(kinds.map(({ number }) => number)).size !== kinds.length)
    throw new Error('VenueKind.sol uses a number twice.')
  return kinds.map(({ name, number }) => {
    const traits = rows.get(name)
    if (!traits) throw new Error(`VenueKind.sol has no row for ${name}.`)
    const unknown = traits.find((trait) => !columns.includes(trait))
    if (unknown)
      throw new Error(`VenueKind.sol has no column ${unknown}, which the row of ${name} uses.`)
    const row = { name: camelCase(name), number, traits: traits.map(camelCase) }
    for (const group of oneOf)
      if (row.traits.filter((trait) => group.some((each) => each === trait)).length !== 1)
        throw new Error(`${name} must have exactly one of the traits ${group.join(', ')}.`)
    return row
  })
}

/** Returns the source of a TypeScript module that contains the table. */
export function moduleOfVenueKinds(rows: readonly VenueKindRow[]): string {
  const entries = rows.map(({ name, number, traits }) => {
    const list = traits.map((trait) => `'${trait}'`).join(', ')
    return `  ${name}: { number: ${number}, traits: [${list}] },\n`
  })
  return `/** Number and traits of each venue kind, as contracts/src/types/VenueKind.sol states them. */\nexport const venueKinds = {\n${entries.join('')}} as const\n`
}

function camelCase(name: string): string {
  return name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
