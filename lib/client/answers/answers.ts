/**
 * Checks that an answer holds the fields that a flow needs. Hosts omit what they do not know, send empty fields, and have ids
 * of their own kind; values that nothing depends on are completed. The results have the types of the contract.
 */
import * as z from 'zod'
import type { ResultOf } from '../../contract/calls.ts'
import type { OperationName } from '../../contract/operations.ts'
import { anyId, anyText, rule, timestamp } from '../../contract/primitives.ts'
import { DocumentPreparation, TaskStatus } from '../../contract/task/task.ts'

/** Text that a host may also write as a number. */
const idText = () =>
  z
    .union([z.string(), z.number().transform(String)])
    .nullish()
    .catch(null)
const words = () => z.string().catch('')
const flag = (otherwise: boolean) => z.boolean().catch(otherwise)
const knownFlag = () => z.boolean().nullish().catch(null)
const time = () => timestamp().nullish().catch(null)
const listOf = <S extends z.ZodType>(schema: S) =>
  z
    .array(schema)
    .nullish()
    .catch(null)
    .transform((found) => found ?? [])

const SIGNED_PDF = 'a PDF encoded as Base64'
const SECRET = 'the secret, as text'

const task = z.object({
  taskId: anyId(),
  status: TaskStatus,
  statusReason: anyText(),
  documentId: anyId().nullish().catch(null),
  externalDocId: idText(),
  output: z
    .object({
      attachment: z.string(rule(SIGNED_PDF)).nullish(),
      statusReason: anyText(),
      externalSavedDocumentId: idText(),
      isArchived: knownFlag(),
      isFiled: knownFlag(),
      preparation: DocumentPreparation.nullish().catch(null),
    })
    .nullish(),
  createdAt: time(),
  updatedAt: time(),
})

const address = z.object({
  line: anyText(),
  city: anyText(),
  state: anyText(),
  postalCode: idText().transform((text) => text ?? ''),
})

const provider = z
  .object({
    npi: z.string(rule('the NPI, as text')),
    firstName: words(),
    lastName: words(),
    signingName: anyText(),
    organizations: listOf(
      z.object({ name: words(), npi: anyText().transform((npi) => npi || null), addresses: listOf(address) }),
    ),
  })
  .transform(({ signingName, ...found }) => ({
    ...found,
    signingName: signingName || `${found.firstName} ${found.lastName}`.trim(),
  }))

/** Null where nothing is needed of the answer. */
export const answers: { readonly [N in OperationName]: z.ZodType<ResultOf<N>> | null } = {
  checkHealth: z.object({ status: z.string().optional().catch(undefined) }).catch({}),
  listDocumentTypes: z.array(z.object({ id: anyId(), name: words(), category: words() })),
  listTemplates: z.array(
    z.object({
      templateId: anyId(),
      summary: words(),
      clinicalDateLabel: words(),
      diagnosisCodeAllowed: flag(false),
      diagnosisCodeRequired: flag(false),
      pdfRequired: flag(true),
      isCustomTemplate: flag(false),
    }),
  ),
  findProvider: provider,
  createTask: z.object({
    taskId: anyId(),
    // A 201 says that the task was received, even when the rest cannot be read.
    status: TaskStatus.catch('Received'),
    statusReason: anyText().transform((reason) => reason ?? null),
  }),
  readTask: task,
  listTasks: z.array(task),
  updateTask: null,
  retractTask: null,
  createSubscription: z.object({
    id: anyId(),
    url: words(),
    secret: z.string(rule(SECRET)).min(1, SECRET),
    description: anyText(),
  }),
  listSubscriptions: z.array(
    z.object({
      id: anyId(),
      url: words(),
      description: anyText(),
      isActive: flag(true),
      createdAt: time(),
      updatedAt: time(),
    }),
  ),
  // The specification leaves the answer to a changed subscription unsaid.
  updateSubscription: null,
  deleteSubscription: null,
}
