import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkNatspec } from './checkNatspec.js'
import { checkSolidity } from './checkSolidity.js'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sluice-solidity-'))
})
afterEach(() => rmSync(root, { recursive: true }))

describe('checkSolidity', () => {
  test('default: accepts imports from lower layers', () => {
    const paths = write({
      'types/Market.sol': 'struct Pool { address pool; }',
      'venues/Toy.sol': `import {Pool} from "../types/Market.sol";\nimport {IERC20} from "solady/IERC20.sol";`,
      'Finder.sol': 'import {\n    Pool\n} from "./types/Market.sol";',
    })
    expect(checkSolidity(root, paths)).toEqual([])
  })

  test('error: an import from a higher layer, on one or several lines', () => {
    const paths = write({
      'types/Market.sol': 'import {\n    Words\n} from "../libraries/Words.sol";',
      'libraries/Words.sol': '',
      'new/Thing.sol': 'import {Words} from "../libraries/Words.sol";',
    })
    expect(checkSolidity(root, paths)).toEqual([
      'contracts/src/types/Market.sol: imports contracts/src/libraries/Words.sol, but types may import nothing (tools/checkSolidity.ts)',
      'contracts/src/new/Thing.sol: new is not in the list of layers (tools/checkSolidity.ts)',
    ])
  })

  test('error: files that import each other', () => {
    const paths = write({
      'solver/Search.sol': 'import {legGas} from "./Budget.sol";',
      'solver/Budget.sol': 'import {Search} from "./Search.sol";',
    })
    expect(checkSolidity(root, paths)).toEqual([
      'contracts/src/solver/Search.sol → contracts/src/solver/Budget.sol → contracts/src/solver/Search.sol: files import each other',
    ])
  })
})

describe('checkNatspec', () => {
  test('default: reports items without a notice', () => {
    const paths = write({
      'interfaces/IToy.sol': [
        '/// @title A toy',
        'interface IToy {',
        '    /// @notice What it holds.',
        '    struct Held { uint256 amount; }',
        '    event Played(address who);',
        '    /// @dev Careful.',
        '    error Broken();',
        '    /// @notice Plays.',
        '    /// @param amount Of toys.',
        '    function play(uint256 amount) external;',
        '}',
      ].join('\n'),
    })
    expect(checkNatspec(root, paths)).toEqual([
      'contracts/src/interfaces/IToy.sol:5: event Played has no @notice',
      'contracts/src/interfaces/IToy.sol:7: error Broken has no @notice',
    ])
  })
})

function write(files: Readonly<Record<string, string>>): string[] {
  return Object.entries(files).map(([name, text]) => {
    const path = `contracts/src/${name}`
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    return path
  })
}
