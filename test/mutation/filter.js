module.exports = require('./plan').selectTests;
