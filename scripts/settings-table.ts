/** The settings of the service as Markdown tables, one for each heading. Pure. */
import { defaultOf } from '../server/cli/settings/flags.ts'
import { ALL_SETTINGS, flagOf, isSecret, SETTING_NAMES, variableOf } from '../server/cli/settings/names.ts'
import { SECTIONS, type Setting } from '../server/config.ts'

const COLUMNS = ['flag', 'variable', 'meaning', 'default'] as const

export function settingsTables(): string {
  const sections = new Map<string, string[][]>()
  let heading = ''
  for (const name of SETTING_NAMES) {
    const setting: Setting = ALL_SETTINGS[name]
    heading = (SECTIONS as Readonly<Record<string, string>>)[name] ?? heading
    sections.set(heading, [...(sections.get(heading) ?? []), rowOf(name, setting)])
  }
  return [...sections].map(([title, rows]) => `### ${title}\n\n${tableOf(rows)}`).join('\n\n')
}

function rowOf(name: string, setting: Setting): string[] {
  const flag =
    setting.value === undefined && !isSecret(name) ? flagOf(name) : `${flagOf(name)} ${setting.value ?? 'FILE'}`
  const standard = setting.value === undefined && !isSecret(name) ? 'off' : (defaultOf(setting) ?? 'none')
  return [`\`${flag}\``, `\`${variableOf(name)}\``, setting.summary, standard].map((cell) =>
    cell.replaceAll('|', '\\|'),
  )
}

function tableOf(rows: readonly string[][]): string {
  const widths = COLUMNS.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]!.length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  return [line(COLUMNS), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
