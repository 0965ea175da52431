import { chmod, mkdir } from 'node:fs/promises';

/** Makes a folder that nobody else on this machine can look into; one that is there already is closed to them. */
export async function privateFolder(folder: string): Promise<void> {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	await chmod(folder, 0o700);
}
