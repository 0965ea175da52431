import { chmod, mkdir } from 'node:fs/promises';

/** Creates a folder that only this user can read; an existing folder gets the same mode. */
export async function ensurePrivateFolder(folder: string): Promise<void> {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	await chmod(folder, 0o700);
}
