/** Writes a report in the form that the name of its file asks for. */
import { extname } from 'node:path'
import { htmlOf } from '../../../lib/conform/report/html.ts'
import { junitOf } from '../../../lib/conform/report/junit.ts'
import type { Report } from '../../../lib/conform/report/report.ts'
import type { REPORTS } from './settings.ts'

type Writer = (report: Report) => string

const WRITERS: Readonly<Record<(typeof REPORTS)[number], Writer>> = {
  '.html': htmlOf,
  '.json': (report) => `${JSON.stringify(report, null, 2)}\n`,
  '.xml': junitOf,
}

/** @param file one whose name was checked */
export const writerOf = (file: string): Writer => WRITERS[extname(file) as keyof typeof WRITERS]
