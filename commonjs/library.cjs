module.exports = require('./load.cjs')('lib/index.js')
