const names: readonly string[] = ['feePips', 'kind', 'venueName']

/** A route without the names of venues, which only a service with a node knows: it has read them from the Hub. */
export function unnamed<route extends { readonly legs: readonly object[] }>(route: route) {
  const legs = route.legs.map((leg) =>
    Object.fromEntries(Object.entries(leg).filter(([name]) => !names.includes(name))),
  )
  return { ...route, legs }
}
