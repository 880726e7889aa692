/** The document of a task. spec: Resources › Task: document */
import * as z from 'zod'
import { docs } from '../docs.ts'
import { absent, date, id, optional, rule, text, upTo } from '../primitives.ts'
import { Annotations } from './annotations.ts'

export {
  Annotations,
  FieldType,
  JsonAnnotation,
  MAX_ANNOTATIONS,
  Place,
  ReferenceTextAnnotation,
} from './annotations.ts'

export const TaskDocument = z
  .object(
    {
      attachment: z
        .string(rule('a PDF encoded as Base64'))
        .min(1, 'a PDF encoded as Base64')
        .register(docs, {
          title: 'Attachment',
          description:
            'The PDF, encoded as Base64. The signer is shown, and signs, what is made of it: forms and markings become part ' +
            'of the pages, as they show; scripts, actions on opening and attached files are removed, refused or left in, ' +
            'as the settings of the organization say. The certificate page says what was done.',
          examples: ['JVBERi0xLjcKJ…'],
          sensitive: true,
        }),
      effectiveDate: date().register(docs, {
        title: 'Clinical date',
        description:
          "Clinical date, YYYY-MM-DD, inside the template's certification window. Not the date of the request.",
        examples: ['2026-01-15'],
      }),
      documentTypeId: id().register(docs, {
        title: 'Document type id',
        description: 'An id of the document types.',
        examples: [104],
      }),
      externalDocId: text().register(docs, {
        title: 'External document id',
        description: "The sender's id for the document. Returned on later reads, and a filter of the list.",
        examples: ['EHR|DOC-000123'],
        sensitive: true,
      }),
      annotations: Annotations,
      diagnosisCode: optional(upTo(32)).register(docs, {
        title: 'Diagnosis code',
        description: 'ICD-10 code. Required when the template requires it; an empty one counts as none.',
        examples: ['I50.9'],
        sensitive: true,
      }),
    },
    absent,
  )
  .register(docs, {
    id: 'TaskDocument',
    title: 'Document',
    description: 'What is to be signed.',
    examples: [
      {
        attachment: 'JVBERi0xLjcKJ…',
        effectiveDate: '2026-01-15',
        documentTypeId: 104,
        externalDocId: 'EHR|DOC-000123',
        annotations: { type: 'SmartAnnotations' },
      },
    ],
  })
export type TaskDocument = z.infer<typeof TaskDocument>
