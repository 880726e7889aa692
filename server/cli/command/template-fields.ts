/** The fields of a template from a file: a JSON array of annotations, as a task of type Json has them. */
import * as z from 'zod'
import { describeIssues } from '../../../lib/contract/error.ts'
import { JsonAnnotation } from '../../../lib/contract/task/document.ts'
import { prefilled } from '../../../lib/contract/task/field-kinds.ts'
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import { CommandError } from './command-error.ts'
import { jsonIn } from './named-file.ts'

/** Reads the fields. Throws a CommandError that says everything that is wrong with the file. */
export function fieldsOf(file: string): Field[] {
  const read = z
    .array(JsonAnnotation, 'an array of annotations')
    .min(1, 'at least one')
    .safeParse(jsonIn(file, '--fields'))
  if (!read.success) throw new CommandError(`--fields: ${describeIssues(read.error).join('; ')}`)
  return read.data.map(({ type, pageNumber, left, top, right, bottom, required, value }) => ({
    page: pageNumber,
    box: { left, top, right, bottom },
    type,
    required: required ?? false,
    value: prefilled(type, value),
  }))
}

/** Writes fields as such a file holds them. */
export const annotationsOf = (fields: readonly Field[]): object[] =>
  fields.map(({ page, box, type, required, value }) => ({
    type,
    required,
    pageNumber: page,
    ...box,
    ...(value !== null && { value }),
  }))
