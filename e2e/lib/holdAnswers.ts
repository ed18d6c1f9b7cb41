import { createValidator, type Described } from '../../packages/api/test/describedAs.js'

type Validate = ReturnType<typeof createValidator>
type Service = { readonly validate: Validate; readonly paths: ReadonlySet<string> }

const plainFetch = globalThis.fetch
const services = new Map<string, Promise<Service>>()

/**
 * Replaces `fetch` by one that throws if a JSON response of the service does not match the OpenAPI document that the
 * service itself returns. Responses of nodes and HTML pages are not checked.
 */
export function holdAnswers(): void {
  globalThis.fetch = async (input, init) => {
    const answer = await plainFetch(input, init)
    const given = input instanceof Request ? input : undefined
    const { origin, pathname } = new URL(given?.url ?? String(input))
    const isOurs = answer.headers.has('x-request-id') && /^\/(api|mcp)\b/.test(pathname)
    const isJson = answer.headers.get('content-type')?.startsWith('application/json')
    if (!isOurs || !isJson || answer.status === 304) return answer
    const { paths, validate } = await serviceAt(origin)
    // A 404 for an unknown path is not in the OpenAPI document.
    if (!paths.has(pathname) && answer.status === 404) return answer
    const method = (init?.method ?? given?.method ?? 'GET').toLowerCase()
    validate(method, pathname, answer.status, await answer.clone().json())
    return answer
  }
}

function serviceAt(origin: string): Promise<Service> {
  const known = services.get(origin)
  if (known !== undefined) return known
  const made = plainFetch(`${origin}/api/openapi.json`).then(async (answer): Promise<Service> => {
    const described = (await answer.json()) as Described
    return { validate: createValidator(described), paths: new Set(Object.keys(described.paths)) }
  })
  services.set(origin, made)
  return made
}
