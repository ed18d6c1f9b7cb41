import { createValidator, type Described } from '../../packages/api/test/describedAs.js'

type Validate = ReturnType<typeof createValidator>
type Service = { readonly validate: Validate; readonly paths: ReadonlySet<string> }

const plainFetch = globalThis.fetch
const services = new Map<string, Promise<Service>>()

/**
 * From here on, `fetch` throws if a service of ours answers JSON in another form than the description says that it
 * serves itself. Answers of nodes and of the service's pages pass.
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
    // What is nowhere is described nowhere.
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
