import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(__dirname, '../..');

/** Folders that hold what others wrote, or what a run left behind. */
const STRANGE = ['node_modules', '.run', '.n8n', 'artifacts'];

/** Every TypeScript file below a folder, from the project's root. */
export function filesBelow(folder: string): string[] {
	return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return STRANGE.includes(entry.name) ? [] : filesBelow(path);
		return entry.name.endsWith('.ts') ? [path] : [];
	});
}
