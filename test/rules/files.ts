import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(__dirname, '../..');

/** Folders of third-party code or of files that a build or a run left behind. */
const EXCLUDED_FOLDERS = ['node_modules', 'dist', 'artifacts', '.git', '.cache', '.run', '.n8n'];

/** Lists every file below a folder, relative to the project's root. */
export function allFilesBelow(folder: string): string[] {
	return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (!entry.isDirectory()) return [path];
		return EXCLUDED_FOLDERS.includes(entry.name) ? [] : allFilesBelow(path);
	});
}

/** Lists every TypeScript file below a folder, relative to the project's root. */
export const typeScriptFilesBelow = (folder: string): string[] =>
	allFilesBelow(folder).filter((file) => file.endsWith('.ts'));
