/** Bodies of creates: one that a host accepts, and the same with one thing changed. */
import { DOCUMENT_TYPES, PROVIDERS, TEMPLATES } from '../host.ts'
import { isSuccess } from '../judge.ts'
import { notTried } from '../verdict.ts'
import { once } from './once.ts'
import { type Json, jsonAnnotations, samplePatient, samplePdf } from './sample.ts'
import type { StageContext } from './stage.ts'

/** A change of a body. A value of undefined omits a field, null the whole part. */
export interface BodyChange {
  patient?: Json | null
  performers?: unknown
  document?: Json | null
}

export type Bodies = ReturnType<typeof createBodies>

export function createBodies({ host, clock, newId, signerNpi }: StageContext) {
  /** The items of a list that other rules need. */
  const listed = async (path: string): Promise<Json[]> =>
    (host.itemsOf(await host.get(path)) ?? []).map((item) => Object(item) as Json)

  const documentTypeId = once(async () => {
    const [first] = await listed(DOCUMENT_TYPES)
    return first?.id ?? notTried('there is no document type to create a task with')
  })
  const pdfs = new Map<string, Promise<string>>()
  /** Its tokens are those of the profile, which may be learnt in between. */
  const pdf = () => {
    const { tokenPrefix } = host.profile
    const made = pdfs.get(tokenPrefix) ?? samplePdf({ tokenPrefix })
    pdfs.set(tokenPrefix, made)
    return made
  }
  /** Creates with an unknown signer would all end as Failed, and say nothing about the rules. */
  const signer = once(async () => {
    const { status } = await host.get(`${PROVIDERS}/${signerNpi}`)
    return isSuccess(status)
      ? signerNpi
      : notTried(`no active provider has the NPI of the signer (${status}); name another`)
  })

  return {
    signer,
    templates: once(() => listed(TEMPLATES)),
    async body(change: BodyChange = {}): Promise<Json> {
      const document = {
        attachment: await pdf(),
        effectiveDate: new Date(clock.now()).toISOString().slice(0, 10),
        documentTypeId: await documentTypeId(),
        externalDocId: `CONFORM-${newId()}`,
        annotations: jsonAnnotations(host.profile.coordinates.origin),
      }
      return {
        ...(change.patient !== null && { patient: { ...samplePatient(), ...change.patient } }),
        performers: [{ signer: { userNPI: await signer() } }],
        ...('performers' in change && { performers: change.performers }),
        ...(change.document !== null && { document: { ...document, ...change.document } }),
      }
    },
  }
}
