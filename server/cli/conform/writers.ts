/** The forms of a report, by the end of the name of its file. */
import { extname } from 'node:path'
import { htmlOf } from '../../../lib/conform/report/html.ts'
import { junitOf } from '../../../lib/conform/report/junit.ts'
import type { Report } from '../../../lib/conform/report/report.ts'

const WRITERS: Readonly<Record<string, (report: Report) => string>> = {
  '.html': htmlOf,
  '.json': (report) => `${JSON.stringify(report, null, 2)}\n`,
  '.xml': junitOf,
}

export const isReport = (file: string): boolean => extname(file) in WRITERS

export const writerOf = (file: string): ((report: Report) => string) => WRITERS[extname(file)]!
