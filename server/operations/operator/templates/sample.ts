/** The PDF on which the fields of a template are placed: kept with it, so that the next edit begins where the last one ended. */
import { ErrorBody } from '../../../../lib/contract/error.ts'
import { headerOffset } from '../../../../lib/pdf/file/header.ts'
import { Refusal } from '../../../domain/refusal.ts'
import type { PdfAnswer } from '../../row.ts'
import { idParams } from '../id-params.ts'
import { operatorRow, STAFF } from '../operator-context.ts'
import { foundTemplate } from './templates.ts'

const about = {
  path: '/admin/v1/templates/:id/sample',
  group: 'Templates',
  who: STAFF,
  params: idParams('the template'),
} as const

export const keepTemplateSample = operatorRow({
  ...about,
  method: 'post',
  summary: 'Keep the PDF on which the fields are placed, in place of an earlier one',
  body: 'pdf',
  reads: 'sample',
  responses: { 204: null, 404: ErrorBody },
  async run(context, { params: { id }, body }) {
    const { templates } = await foundTemplate(context, id)
    if (headerOffset(body) === null) throw new Refusal('invalid', 'body: a PDF')
    await templates.keepSample(id, body, context.at)
  },
})

export const readTemplateSample = operatorRow({
  ...about,
  method: 'get',
  summary: 'Read the PDF on which the fields were placed',
  responses: { 200: 'pdf', 404: ErrorBody },
  async run(context, { params: { id } }): Promise<PdfAnswer> {
    const { templates } = await foundTemplate(context, id)
    const pdf = await templates.sample(id)
    if (!pdf) throw new Refusal('notFound', `Template ${id} has no sample.`)
    return { pdf, fileName: `template-${id}.pdf`, disposition: 'inline' }
  },
})
