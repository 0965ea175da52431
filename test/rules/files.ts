import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(__dirname, '../..');

/** Folders of third-party code or of files that a run left behind. */
const EXCLUDED_FOLDERS = ['node_modules', '.run', '.n8n', 'artifacts'];

/** Lists every TypeScript file below a folder, relative to the project's root. */
export function filesBelow(folder: string): string[] {
	return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return EXCLUDED_FOLDERS.includes(entry.name) ? [] : filesBelow(path);
		return entry.name.endsWith('.ts') ? [path] : [];
	});
}
