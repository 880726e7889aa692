/** Rules of creates that are accepted. */
import { TASKS } from '../host.ts'
import { expectAccepted, expectShape, expectStatus, expectThat } from '../judge.ts'
import { type Rule, rulesOf } from '../rule.ts'
import { Created } from '../shapes.ts'
import type { BodyChange } from '../stage/bodies.ts'
import { referenceAnnotations, samplePatient, UNKNOWN_NPI } from '../stage/sample.ts'
import type { Stage } from '../stage/stage.ts'
import { notTried } from '../verdict.ts'

type Change = (stage: Stage) => BodyChange | Promise<BodyChange>

const accepts =
  (change: Change): Rule['attempt'] =>
  async (host, stage) =>
    expectAccepted(await host.post(TASKS, await stage.body(await change(stage))))

const annotated = (annotations: unknown): BodyChange => ({ document: { annotations } })

/** Returns what asks for the fields of a template of the organization. */
export async function templateOf(stage: Stage): Promise<BodyChange> {
  const [template] = await stage.templates()
  if (!template) notTried('the organization of the key has no template')
  const { templateId, diagnosisCodeRequired } = template as Record<string, unknown>
  const annotations = { type: 'Template', templateId }
  return { document: { annotations, ...(diagnosisCodeRequired === true && { diagnosisCode: 'I50.9' }) } }
}

const identified = (number: number, authority: string, value: string): BodyChange => ({
  patient: { ...samplePatient(number), identifiers: [{ authority, value }] },
})

export const create = rulesOf('Create', [
  [
    'a create is answered 201',
    'Endpoints › Tasks',
    async (_host, stage) => expectStatus((await stage.first()).answer, 201),
  ],
  [
    'the answer has taskId, the status Received and statusReason',
    'Endpoints › Tasks',
    async (_host, stage) => void expectShape(Created, (await stage.first()).answer.body),
  ],
  [
    'a task becomes Pending by itself',
    'States and transitions',
    async (_host, stage) => {
      const { taskId } = Object((await stage.first()).answer.body) as { taskId?: unknown }
      if (typeof taskId !== 'number') notTried('the create made no task')
      const task = await stage.wait(async () => {
        const { status } = await stage.read(taskId)
        return status === 'Received' || status === 'Processing' ? null : { status }
      })
      expectThat(task?.status === 'Pending', 'it did not become Pending in time')
    },
  ],
  [
    'fields at tokens are accepted',
    'Resources › Smart annotation tokens',
    accepts(() => annotated({ type: 'SmartAnnotations' })),
  ],
  [
    'fields next to a text are accepted',
    'Resources › Task: annotations',
    accepts(() => annotated(referenceAnnotations())),
  ],
  ['fields of a template are accepted', 'Resources › Task: annotations', accepts(templateOf)],
  [
    'an unknown signer is accepted',
    'Endpoints › Provider lookup results',
    async (_host, stage) => expectAccepted((await stage.ofNobody()).answer),
  ],
  [
    'an organization that matches nothing is accepted',
    'Resources › Routing order',
    accepts(async (stage) => ({
      performers: [{ signer: { userNPI: await stage.signer() }, organization: { orgNPI: UNKNOWN_NPI } }],
    })),
  ],
  ['an SSN with hyphens is accepted', 'Resources › Task: patient', accepts(() => identified(2, 'ssn', '987-65-4325'))],
  ['an SSN without hyphens is accepted', 'Resources › Task: patient', accepts(() => identified(2, 'ssn', '987654325'))],
  [
    'the last four digits of an SSN are accepted',
    'Resources › Task: patient',
    accepts(() => identified(3, 'ssn4', '4328')),
  ],
])
