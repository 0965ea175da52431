const { execFileSync } = require('node:child_process');

/** Packs a folder as publishing would, and returns npm's report with the paths of the packed files. */
function packInto(folder, destination) {
	const output = execFileSync('npm', ['pack', '--json', '--pack-destination', destination], {
		cwd: folder,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
		shell: process.platform === 'win32',
	});
	const [{ files, ...rest }] = JSON.parse(output);
	return { ...rest, files: files.map((file) => file.path) };
}

module.exports = { packInto };
