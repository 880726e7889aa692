/** `npm run test:long`: every node over deploys, with the roots that `npm test` leaves out, and trouble with each. */
import { worksOverDeploys } from '../../support/node-red/under-fire/works-over-deploys.ts'

worksOverDeploys({ adminRoot: '/', nodeRoot: '/api' }, 'told')
worksOverDeploys({ adminRoot: '/admin', nodeRoot: '/api' }, 'told')
