import type { Plan } from '../plan/Plan.js'

/** Stable codes of what to know before a swap is signed. */
export const codes = [
  'high_impact',
  'floor_above_slippage',
  'taxed_token',
  'dry_run_missing',
] as const
export type Code = (typeof codes)[number]

/** Something to know before signing. */
export type Warning = { readonly code: Code; readonly message: string }

/** Price impact from which a quote warns, in basis points. */
export const highImpactBps = 500n

/** What came of running the route on the live pools. */
export type DryRun =
  /** It was run and delivered what is quoted. */
  | { readonly kind: 'done'; readonly taxBps: number }
  /** No node could run it. */
  | { readonly kind: 'missing' }
  /** Nothing asked for it. */
  | { readonly kind: 'none' }

/** What to know before this plan is signed, in the order of the codes. */
export function of(parameters: of.Parameters): readonly Warning[] {
  const { asksMinimum, dryRun, isSigned, plan } = parameters
  const { impactBps } = plan.route
  const warnings: Warning[] = []
  if (impactBps > highImpactBps)
    warnings.push({
      code: 'high_impact',
      message: `The size of the trade moves the price by ${Number(impactBps) / 100} %; a smaller amount gets a better one.`,
    })
  if (asksMinimum !== undefined && asksMinimum < plan.ironFloor)
    warnings.push({
      code: 'floor_above_slippage',
      message:
        "`slippageBps` allows less than the protocol's floor; the swap delivers the floor or reverts.",
    })
  if (dryRun.kind === 'done' && dryRun.taxBps > 0)
    warnings.push({
      code: 'taxed_token',
      message: `A token keeps back ${dryRun.taxBps / 100} % of the output by taxing transfers; the numbers are what arrives after that.`,
    })
  if (isSigned && dryRun.kind !== 'done')
    warnings.push({
      code: 'dry_run_missing',
      message:
        'The swap was not run against the live pools, so a token that refuses or taxes transfers would make it revert. Simulate it before you sign.',
    })
  return warnings
}

export declare namespace of {
  type Parameters = {
    plan: Plan
    dryRun: DryRun
    /** Least that the caller's own `slippageBps` asks for. */
    asksMinimum?: bigint | undefined
    /** There is something to sign. */
    isSigned: boolean
  }
}
