import type { Plan } from '../plan/Plan.js'

/** Stable codes of warnings. */
export const codes = [
  'state_overridden',
  'high_impact',
  'floor_above_slippage',
  'taxed_token',
  'dry_run_missing',
  'permit_unavailable',
] as const
export type Code = (typeof codes)[number]

/** Something to know before signing a swap. */
export type Warning = { readonly code: Code; readonly message: string }

/** A price impact above this causes a warning, in basis points. */
export const highImpactBps = 500n

/** Result of a dry run of the route on the live pools. */
export type DryRun =
  /** The dry run delivered the quoted output. `taxBps` is the tax that tokens took, in basis points of the output. */
  | { readonly kind: 'done'; readonly taxBps: number }
  /** No node could make the dry run. */
  | { readonly kind: 'missing' }
  /** No dry run was requested. */
  | { readonly kind: 'none' }

/** Warnings for a plan, in the order of the codes. */
export function of(parameters: of.Parameters): readonly Warning[] {
  const { asksMinimum, dryRun, isOverridden = false, isSigned, plan } = parameters
  const { impactBps } = plan.route
  const warnings: Warning[] = []
  if (isOverridden)
    warnings.push({
      code: 'state_overridden',
      message:
        'The quote holds only on the state in `overrides`, which the chain may never have. Quote again without `overrides` before you trade.',
    })
  if (impactBps > highImpactBps)
    warnings.push({
      code: 'high_impact',
      message: `The trade moves the price by ${Number(impactBps) / 100} %; a smaller amount gets a better price.`,
    })
  if (asksMinimum !== undefined && asksMinimum < plan.ironFloor)
    warnings.push({
      code: 'floor_above_slippage',
      message:
        "`slippageBps` allows less output than the protocol's floor; the swap delivers at least the floor or reverts.",
    })
  if (dryRun.kind === 'done' && dryRun.taxBps > 0)
    warnings.push({
      code: 'taxed_token',
      message: `A tax on transfers takes ${dryRun.taxBps / 100} % of the output; the numbers are after the tax.`,
    })
  if (isSigned && dryRun.kind !== 'done')
    warnings.push({
      code: 'dry_run_missing',
      message:
        'There was no dry run on the live pools, so a token that rejects or taxes transfers may make the swap revert. Simulate the swap before you sign.',
    })
  return warnings
}

/** Warning for a sender that cannot give the token's own permit. */
export const permitUnavailable: Warning = {
  code: 'permit_unavailable',
  message:
    'The sender is a contract account, which cannot give a permit of the token (EIP-2612), so `calls` approves the Router instead.',
}

export declare namespace of {
  type Parameters = {
    plan: Plan
    dryRun: DryRun
    /** Minimum net output that follows from the caller's `slippageBps` alone, in base units. */
    asksMinimum?: bigint | undefined
    /** Whether the plan was computed on a state of the caller's. @default false */
    isOverridden?: boolean | undefined
    /** Whether the quote has something to sign. */
    isSigned: boolean
  }
}
