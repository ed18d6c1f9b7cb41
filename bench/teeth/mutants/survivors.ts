import { readFileSync } from 'node:fs'
import { inRepository } from '../../lib/repository.js'
import { type Mutant, mutated } from './mutantsOf.js'

/** Mutants that no test can detect, or that no test has to detect: the file, the line as it is and with the mutant, and the reason. */
const justified: readonly (readonly [file: string, from: string, to: string, why: string])[] = [
  [
    'execution/DryRun.sol',
    'if (_holds(route.tokenIn, address(this), route.amountIn)) return (0, failure);',
    'if (_holds(route.tokenIn, address(this), route.amountIn)) return (1, failure);',
    'nobody reads what a failed run delivers',
  ],
  [
    'execution/DryRun.sol',
    'failure = abi.encodeWithSelector(NoLender.selector);',
    '{}',
    'nobody reads why a run failed, unless a token poses as the Router',
  ],
  [
    'execution/DryRun.sol',
    'if (_isUsed(route, pool) || !_holds(route.tokenIn, pool, route.amountIn + 1)) continue;',
    'if (_isUsed(route, pool) && !_holds(route.tokenIn, pool, route.amountIn + 1)) continue;',
    'a pool that is locked or holds too little refuses the loan, and the next one is asked; the check saves gas',
  ],
  [
    'execution/DryRun.sol',
    'IERC20(route.tokenIn).balanceOf(pool) / 2 > route.amountIn * 2 ? route.amountIn * 2 : route.amountIn;',
    'IERC20(route.tokenIn).balanceOf(pool) / 2 > route.amountIn * 2 ? route.amountIn * 3 : route.amountIn;',
    'a larger loan serves as well, from a pool that holds four times the input',
  ],
  [
    'execution/Execution.sol',
    'if (amount < floor) revert BelowFloor(floor, amount);',
    'if (false) revert BelowFloor(floor, amount);',
    'what arrived is never more, and is checked with the same error',
  ],
  [
    'optimizer/Optimizer.sol',
    'if (offset >= edges.length || edges.length - offset < 8) revert BadEdge(k);',
    'if (offset > edges.length || edges.length - offset < 8) revert BadEdge(k);',
    'an edge that begins at the end has less than eight words, which the other half finds',
  ],
  [
    'optimizer/Split.sol',
    'if (reserves >> 190 != 0 || wantedReserves >> 190 != 0) return 0;',
    'if (false) return 0;',
    'the price that follows is a guess, which is kept between prices that are known',
  ],
  [
    'solver/Discovery.sol',
    'uint256 constant MAX_POOLS = 96;',
    'uint256 constant MAX_POOLS = 97;',
    'how many pools a search reads at most is a choice, and one more is as right',
  ],
  [
    'solver/Idle.sol',
    'if (!discovery.keep(pool, Ways(ways & 1 != 0, ways & 2 != 0), free)) release(free);',
    'if (!discovery.keep(pool, Ways(ways & 1 != 0, ways & 2 != 1), free)) release(free);',
    'a direction is read that was left out because it serves nothing, which costs gas',
  ],
  [
    'v1/Router.sol',
    'msg.sender, msg.sender, route.tokenIn, route.tokenOut, amountIn, minOut, recipient, deadline, false, 0',
    'msg.sender, msg.sender, route.tokenIn, route.tokenOut, amountIn, minOut, recipient, deadline, false, 1',
    "the integrator's fee is written anew when the swap starts",
  ],
  [
    'venues/Solidly.sol',
    'return stableInvariant(x, y) < state[INVARIANT] ? (0, 0) : (amountOut, STABLE_GAS);',
    'return stableInvariant(x, y) < state[INVARIANT] ? (1, 0) : (amountOut, STABLE_GAS);',
    'a price without gas counts as none, whatever the output',
  ],
]

/** Returns why a mutant may survive. */
export function reasonFor(mutant: Mutant): string {
  const text = readFileSync(inRepository(`contracts/src/${mutant.file}`))
  const [from, to] = [text.toString(), mutated(mutant, text)].map((each) =>
    each.split('\n')[mutant.line - 1]!.trim(),
  )
  const found = justified.find(
    (each) => each[0] === mutant.file && each[1] === from && each[2] === to,
  )
  return found?.[3] ?? 'NOT JUSTIFIED'
}
