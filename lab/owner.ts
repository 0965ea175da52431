import { randomInt } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Who signs in to the lab's n8n. */
export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

/** Where the password is kept: the only place, besides n8n's own database. */
export const passwordFile = (userFolder: string) => path.join(userFolder, 'owner-password.txt');

/** What n8n asks of a password. */
const ACCEPTABLE = /^(?=.*[A-Z])(?=.*\d).{8,64}$/;

/** Letters and digits that nobody takes for one another. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

function makeUpPassword(): string {
	const letters = Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]!);
	const password = letters.join('');
	return ACCEPTABLE.test(password) ? password : makeUpPassword();
}

/** The owner of the n8n in this folder. The password is made up the first time. */
export async function ensureOwner(userFolder: string): Promise<Owner> {
	const file = passwordFile(userFolder);
	const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'ENOENT') return '';
		throw error;
	});
	let password = kept.trim();
	if (!ACCEPTABLE.test(password)) {
		password = makeUpPassword();
		await writeFile(file, `${password}\n`, { mode: 0o600 });
	}
	// The mode above counts for a new file only.
	await chmod(file, 0o600);
	return { email: 'owner@gatehouse.example', password, firstName: 'Lab', lastName: 'Owner' };
}
