/**
 * Replaces the reference in a request with the state override, so that a node accepts it.
 *
 * @param overrides `overrides` of the response that contains the request.
 */
export function resolve<request extends { readonly params: readonly unknown[] }>(
  request: request,
  overrides: Readonly<Record<string, object>>,
): request {
  const { params } = request
  const [call, block, reference] = params
  const chainId = typeof reference === 'string' && /^#\/overrides\/(\d+)$/.exec(reference)?.[1]
  const override = chainId ? overrides[chainId] : undefined
  return override === undefined ? request : { ...request, params: [call, block, override] }
}
