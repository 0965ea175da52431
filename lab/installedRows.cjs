// Records the installed community package in n8n's database, as n8n's own installer does, so that Settings > Community nodes
// lists it. Runs on Node.js 24: an older Node.js may lack the SQLite module.
const { DatabaseSync } = require('node:sqlite');

const [file, text] = process.argv.slice(2);
const { name, version, author, nodes } = JSON.parse(text);
const database = new DatabaseSync(file, { timeout: 10_000 });

database.exec('BEGIN IMMEDIATE');
database.exec('DELETE FROM installed_nodes');
database.exec('DELETE FROM installed_packages');
const now = new Date().toISOString().replace('T', ' ').replace('Z', '');
database
	.prepare(
		`INSERT INTO installed_packages
			(packageName, installedVersion, authorName, authorEmail, createdAt, updatedAt)
			VALUES ($name, $version, $author, $email, $now, $now)`,
	)
	.run({
		$name: name,
		$version: version,
		$author: author?.name ?? null,
		$email: author?.email ?? null,
		$now: now,
	});
const insert = database.prepare(
	'INSERT INTO installed_nodes (name, type, latestVersion, package) VALUES (?, ?, ?, ?)',
);
for (const node of nodes) insert.run(node.displayName, node.type, node.version, name);
database.exec('COMMIT');
database.close();
