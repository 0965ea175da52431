import * as api from './api.js';
import { importKey, loadKey, makeKey, saveKey, signToken } from './keys.js';

const modeName = 'gatehouse.phone.mode';
const profileName = ({ fingerprint }) => `gatehouse.phone.profile.${fingerprint}`;

/** Registers a key at the identity service with a token that it signs itself. */
async function register(key) {
	const { secret } = await api.registerKey(await signToken({ sub: key.fingerprint }, key));
	return { ...key, secret };
}

/** Whom the page's address names. Each tab can be another person. */
const named = new URLSearchParams(location.search).get('user');
export const holder = named ?? 'guest';

/** The sandbox's guest or manager, whose private key it hands out. */
export async function demoPerson() {
	const { user } = await api.fetchDemo(holder);
	const key = await importKey(user);
	const { name, email, phone, address } = user;
	return { ...key, own: false, start: { name, email, phone, address } };
}

/** The same, and at the next visit, too. */
export async function demoPersonAgain() {
	localStorage.setItem(modeName, 'demo');
	return demoPerson();
}

/** Somebody new, with a key made in this browser and registered at once. */
export async function freshPerson() {
	const key = await register({ ...(await makeKey()), own: true });
	await saveKey(key);
	localStorage.setItem(modeName, 'own');
	// The address names somebody else, and would do so again when the page is reloaded.
	history.replaceState(null, '', location.pathname);
	return withStart(key);
}

/** Whom the address names, or whoever this page was at the last visit. A key that the sandbox forgot is registered again. */
export async function rememberedPerson() {
	const isOwn = named === null && localStorage.getItem(modeName) === 'own';
	let key = isOwn ? await loadKey() : undefined;
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
