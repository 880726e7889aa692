/** The files for containers fit the service: their variables are settings, and nginx is that of the guide. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { fileVariableOf, SETTING_NAMES, variableOf } from '../../server/cli/settings/names.ts'
import { root } from '../support/built.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const FILES = ['Dockerfile', 'compose.yaml', 'compose.production.yaml', ...globSync('charts/**/*.yaml', { cwd: root })]
const known = SETTING_NAMES.flatMap((name) => [variableOf(name), fileVariableOf(name)])

describe('The files for containers', () => {
  for (const file of FILES)
    it(`${file} sets variables that the service reads`, () => {
      const names = read(file)
        .split('\n')
        .filter((line) => !/^\s*#/.test(line))
        .flatMap((line) => line.match(/\bCOUNTERSIGN_[A-Z0-9_]+/g) ?? [])
      for (const name of names) expect(known).to.include(name)
    })

  it('the service listens where the image says, and is asked there', () => {
    expect(read('Dockerfile')).to.match(/EXPOSE 8090\nUSER 10001:10001\n/)
    for (const file of ['compose.yaml', 'compose.production.yaml', 'charts/countersign/templates/deployment.yaml'])
      expect(read(file)).to.match(/8090|\*service/)
  })

  it('what the image is made of is in its context, and nothing else', () => {
    const [, ...lines] = read('.dockerignore').trim().split('\n')
    expect(lines).to.deep.equal(['*', '!countersign.tgz', '!package.json', '!package-lock.json'])
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, files]) =>
      files!.split(' '),
    )
    expect([...new Set(copied)].sort()).to.deep.equal(['countersign.tgz', 'package-lock.json', 'package.json'])
  })

  it('the chart has the version of the package, and so has the image that it takes', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string }
    expect(read('charts/countersign/Chart.yaml')).to.include(`\nversion: ${version}\nappVersion: ${version}\n`)
    expect(read('charts/countersign/values.yaml')).to.include(`\n  tag: ${version}\n`)
  })

  it('a pod runs without rights, and Kubernetes sets none of its variables', () => {
    const pod = read('charts/countersign/templates/deployment.yaml')
    for (const line of [
      'enableServiceLinks: false',
      'runAsNonRoot: true',
      'readOnlyRootFilesystem: true',
      'allowPrivilegeEscalation: false',
      'drop: [ALL]',
    ])
      expect(pod).to.include(line)
  })

  it('nginx of compose differs from that of the guide in names and files alone', () => {
    const body = (file: string) =>
      read(file)
        .slice(read(file).indexOf('proxy_http_version'))
        .replace(/with .*TRUST_PROXY|with --trust-proxy .*\d/, '')
    expect(body('docs/deployment/nginx.compose.conf')).to.equal(body('docs/deployment/nginx.conf'))
  })
})
