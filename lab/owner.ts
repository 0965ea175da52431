import { randomInt } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The owner account of the lab's n8n. */
export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

/** File of the owner's password; besides n8n's own database, it is stored nowhere else. */
export const passwordFileOf = (userFolder: string) => path.join(userFolder, 'owner-password.txt');

/** n8n's requirements for a password. */
const VALID_PASSWORD = /^(?=.*[A-Z])(?=.*\d).{8,64}$/;

/** Letters and digits without those that look alike. */
const PASSWORD_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

function generatePassword(): string {
	const letters = Array.from(
		{ length: 20 },
		() => PASSWORD_ALPHABET[randomInt(PASSWORD_ALPHABET.length)]!,
	);
	const password = letters.join('');
	return VALID_PASSWORD.test(password) ? password : generatePassword();
}

/** Returns the owner of the n8n in this folder, with a random password that is created once. */
export async function ensureOwner(userFolder: string): Promise<Owner> {
	const file = passwordFileOf(userFolder);
	const stored = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'ENOENT') return '';
		throw error;
	});
	let password = stored.trim();
	if (!VALID_PASSWORD.test(password)) {
		password = generatePassword();
		await writeFile(file, `${password}\n`, { mode: 0o600 });
	}
	// `writeFile` applies its mode to new files only.
	await chmod(file, 0o600);
	return { email: 'owner@gatehouse.example', password, firstName: 'Lab', lastName: 'Owner' };
}
