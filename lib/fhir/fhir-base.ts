/** A FHIR R4 server, as the bridge uses it: reads what messages refer to, and writes results. No URL or answer gets into an error. */
import { readJson } from '../client/answers/read-json.ts'
import { strictJson } from '../json-text.ts'
import { type Authorization, createAuthorization } from './authorization.ts'
import { FhirAnswerError } from './fhir-answer-error.ts'
import { type FhirSettings, type FhirSettingsInput, readFhirSettings } from './fhir-settings.ts'
import { createHttp, type HttpAnswer } from './http.ts'
import { type Address, addressOf } from './reference-address.ts'
import { failureOf } from './status-failure.ts'

/** A resource as it came. */
export interface Resource {
  /** The type, for example `Patient`. */
  resourceType: string
  /** The server's id; a file has none. */
  id?: string
  [element: string]: unknown
}

/** The resource that a reference names. */
export interface Found {
  /** The absolute URL that the resource is known by, without its version. */
  url: string
  /** The resource. */
  resource: Resource
}

/** The result of sending a resource. */
export interface Written {
  /** False when the server had it already. */
  isNew: boolean
  /** Where the server keeps it, as it says; null when it does not. */
  location: string | null
}

/** A FHIR R4 server. */
export interface FhirBase {
  /**
   * Reads what a reference names. Resolves with null when the server does not have it, and when the reference leads elsewhere, or
   * nowhere outside its message. A document that comes as a file becomes a Binary.
   */
  read(reference: string, signal?: AbortSignal): Promise<Found | null>
  /** Creates a resource unless the server has one that the search finds, such as `identifier=system|value`. */
  create(resource: Resource, ifNoneExist: string, signal?: AbortSignal): Promise<Written>
  /** Writes a resource in place of the version that was read. Fails where the server has another version since. */
  update(resource: Resource, signal?: AbortSignal): Promise<void>
  /** Searches a type, and resolves with a resource that is found, as `Patient/7`; null when there is none. */
  find(type: string, search: string, signal?: AbortSignal): Promise<string | null>
  /** Carries out a transaction Bundle. Resolves with what became of each entry, in their order. */
  transact(bundle: object, signal?: AbortSignal): Promise<Written[]>
}

/** State shared by the calls of a base. */
interface Calls {
  settings: FhirSettings
  authorization: Authorization
  send: ReturnType<typeof createHttp>
}

/** Calls no one yet. Throws `SettingsError`, which names everything that is wrong. */
export function createFhirBase(given: FhirSettingsInput): FhirBase {
  const settings = readFhirSettings(given)
  const send = createHttp(settings)
  const calls = { settings, send, authorization: createAuthorization(settings, send) }
  return {
    async read(reference, signal) {
      const address = addressOf(reference, settings)
      return address && (await readAt(address, calls, signal))
    },
    async create(resource, ifNoneExist, signal) {
      const headers = { 'if-none-exist': ifNoneExist, prefer: 'return=minimal' }
      const url = `${settings.baseUrl}/${checkedType(resource.resourceType)}`
      const answer = await write({ operation: 'create', method: 'POST', url, body: resource, headers }, calls, signal)
      return { isNew: answer.status === 201, location: textOf(answer.headers.location) }
    },
    async update(resource, signal) {
      const { resourceType, id } = resource
      const address = addressOf(`${resourceType}/${id}`, settings)
      if (!address?.isOurs) throw new TypeError('id: that of a resource of the base')
      const { versionId } = (resource.meta ?? {}) as { versionId?: unknown }
      const headers = typeof versionId === 'string' ? { 'if-match': `W/"${versionId}"` } : {}
      await write({ operation: 'update', method: 'PUT', url: address.url, body: resource, headers }, calls, signal)
    },
    async find(type, search, signal) {
      const url = `${settings.baseUrl}/${checkedType(type)}?${search}&_count=1`
      const headers = { accept: FHIR_JSON }
      const answer = await authorized({ operation: 'search', method: 'GET', url, headers }, calls, signal)
      const failure = failureOf('search', answer)
      if (failure) throw failure
      const found = (entriesOf('search', answer) as Matched[]).find(({ resource }) => resource?.resourceType === type)
      return typeof found?.resource?.id === 'string' ? `${type}/${found.resource.id}` : null
    },
    async transact(bundle, signal) {
      const request = { operation: 'transaction', method: 'POST', url: settings.baseUrl, body: bundle }
      const answer = await write(request, calls, signal)
      return (entriesOf('transaction', answer) as Responded[]).map(({ response }) => ({
        isNew: /^201/.test(textOf(response?.status) ?? ''),
        location: textOf(response?.location),
      }))
    },
  }
}

async function readAt(address: Address, calls: Calls, signal?: AbortSignal): Promise<Found | null> {
  const accepted = address.isFile ? ['application/pdf', FHIR_JSON] : [FHIR_JSON]
  for (const accept of accepted) {
    const request = { operation: 'read', method: 'GET', url: address.href, headers: { accept } }
    const answer = address.isOurs ? await authorized(request, calls, signal) : await calls.send({ ...request, signal })
    if (answer.status === 404 || answer.status === 410) return null
    // A server that does not know files gives the resource, and refuses or answers nothing until it is asked for that.
    if (accept !== accepted.at(-1) && !isFileOrResource(answer) && !STOPS.has(answer.status)) continue
    const failure = failureOf('read', answer)
    if (failure) throw failure
    return { url: address.url, resource: resourceIn(answer, address) }
  }
  return null
}

const FHIR_JSON = 'application/fhir+json'

/** Statuses that another media type would not change. */
const STOPS = new Set([401, 403, 429, 500, 502, 503, 504])

const isFileOrResource = ({ status, headers, bytes }: HttpAnswer): boolean =>
  status >= 200 && status < 300 && (isJson(headers) ? bytes.length > 0 : bytes.subarray(0, 1024).includes('%PDF-'))

/** Throws a TypeError for what would lead elsewhere than to a type of the base. */
function checkedType(type: string): string {
  if (!/^[A-Z][A-Za-z]{1,63}$/.test(type))
    throw new TypeError('resourceType: the name of a FHIR resource type, such as DocumentReference')
  return type
}

interface Write {
  operation: string
  method: string
  url: string
  body: object
  headers?: Record<string, string>
}

async function write({ body, headers, ...request }: Write, calls: Calls, signal?: AbortSignal): Promise<HttpAnswer> {
  const all = { accept: FHIR_JSON, 'content-type': FHIR_JSON, ...headers }
  const answer = await authorized({ ...request, headers: all, body: JSON.stringify(body) }, calls, signal)
  const failure = failureOf(request.operation, answer)
  if (failure) throw failure
  return answer
}

interface Request {
  operation: string
  method: string
  url: string
  headers: Record<string, string>
  body?: string
}

/** A token that is refused may have been revoked: another one is tried, once. */
async function authorized(request: Request, { authorization, send }: Calls, signal?: AbortSignal): Promise<HttpAnswer> {
  const withToken = async () => ({ ...request.headers, ...(await authorization.headers(signal)) })
  const answer = await send({ ...request, headers: await withToken(), signal })
  return answer.status === 401 && authorization.renew()
    ? send({ ...request, headers: await withToken(), signal })
    : answer
}

function resourceIn({ status, headers, bytes }: HttpAnswer, address: Address): Resource {
  if (address.isFile && !isJson(headers))
    return { resourceType: 'Binary', contentType: mediaTypeOf(headers), data: bytes.toString('base64') }
  const read = strictJson(bytes)
  if (!read.ok) throw new FhirAnswerError('read', status, `the answer ${read.reason}`)
  const resource = read.value as Resource | null | undefined
  const { type, id } = address
  if (resource?.resourceType === type && resource.id === id) return resource
  throw new FhirAnswerError('read', status, 'the answer is not the resource that was asked for')
}

const mediaTypeOf = (headers: HttpAnswer['headers']): string =>
  (textOf(headers['content-type']) ?? '').split(';')[0]!.trim().toLowerCase()

const isJson = (headers: HttpAnswer['headers']): boolean => /[/+]json$/.test(mediaTypeOf(headers))

/** An entry of the answer to a search. */
interface Matched {
  resource?: Partial<Resource>
}

/** An entry of the answer to a transaction. */
interface Responded {
  response?: { status?: unknown; location?: unknown }
}

/** @throws FhirAnswerError when the answer is no Bundle */
function entriesOf(operation: string, { status, bytes }: HttpAnswer): object[] {
  const bundle = readJson(bytes.toString()) as { resourceType?: unknown; entry?: unknown } | null | undefined
  const { resourceType, entry = [] } = bundle ?? {}
  if (resourceType === 'Bundle' && Array.isArray(entry)) return entry.map((one) => (one as object | null) ?? {})
  throw new FhirAnswerError(operation, status, 'the answer is no Bundle')
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
