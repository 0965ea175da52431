// n8n finds the nodes and credentials through the "n8n" attribute of package.json and loads nothing from this file.
module.exports = {};
