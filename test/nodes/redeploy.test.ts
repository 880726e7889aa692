/** Every node over deploys and the end of the runtime, with two pairs of the roots that operators use. */
import { worksOverDeploys } from '../support/node-red/under-fire/works-over-deploys.ts'

worksOverDeploys({ adminRoot: '/', nodeRoot: '/' }, 'told')
worksOverDeploys({ adminRoot: '/admin', nodeRoot: '/api' }, 'left out')
