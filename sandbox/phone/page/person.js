import * as api from './api.js';
import { importKey, loadKey, makeKey, saveKey, signToken } from './keys.js';

const modeName = 'gatehouse.phone.mode';
const profileName = ({ fingerprint }) => `gatehouse.phone.profile.${fingerprint}`;

/** Registers a key at the identity service with a token that it signs itself. */
async function register(key) {
	const { secret } = await api.registerKey(await signToken({ sub: key.fingerprint }, key));
	return { ...key, secret };
}

/** The seeded demo user, whose private key the sandbox hands out. */
export async function demoPerson() {
	const { user } = await api.fetchDemo();
	const key = await importKey(user);
	localStorage.setItem(modeName, 'demo');
	const { name, email, phone } = user;
	return { ...key, own: false, start: { name, email, phone, address: '1 Gate Lane, Bath' } };
}

/** Somebody new, with a key made in this browser and registered at once. */
export async function freshPerson() {
	const key = await register({ ...(await makeKey()), own: true });
	await saveKey(key);
	localStorage.setItem(modeName, 'own');
	return withStart(key);
}

/** Whoever this page was at the last visit. A key that the sandbox forgot is registered again. */
export async function rememberedPerson() {
	let key = localStorage.getItem(modeName) === 'own' ? await loadKey() : undefined;
	if (!key) return demoPerson();
	if (!(await api.isRegistered(key.fingerprint))) {
		key = await register(key);
		await saveKey(key);
	}
	return withStart(key);
}

/** A number from the range that is reserved for fiction, always the same for the same key. */
function withStart(key) {
	const sum = [...key.fingerprint].reduce((total, sign) => total + sign.charCodeAt(0), 0);
	const phone = `+1202555${String(144 + (sum % 56)).padStart(4, '0')}`;
	const tag = key.fingerprint
		.slice(0, 6)
		.toLowerCase()
		.replaceAll(/[^a-z0-9]/g, '');
	return {
		...key,
		start: { name: 'New User', email: `user-${tag}@example.com`, phone, address: '' },
	};
}

/** The values that answer requested claims: what was saved here, else what a person starts with. */
export function readProfile(key) {
	const saved = localStorage.getItem(profileName(key));
	return saved ? JSON.parse(saved) : key.start;
}

export function saveProfile(key, profile) {
	localStorage.setItem(profileName(key), JSON.stringify(profile));
}

const deniedName = 'gatehouse.phone.denied';
const readDenied = () => JSON.parse(localStorage.getItem(deniedName) ?? '[]');

/** Remembers who ended a job: the service reports the user's no and the application's as one. */
export function rememberDenied({ id }) {
	localStorage.setItem(deniedName, JSON.stringify([...readDenied(), id].slice(-200)));
}

export function wasDenied({ id, status }) {
	return status === 'cancelled' && readDenied().includes(id);
}
