const algorithm = { name: 'Ed25519' };
const encoder = new TextEncoder();

function encodeBase64url(bytes) {
	const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
	return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Imports the demo user's key, which the sandbox provides. */
export async function importKey({ fingerprint, privateJwk }) {
	const { kty, crv, x, d } = privateJwk;
	const jwk = { kty, crv, x, d };
	const privateKey = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['sign']);
	return { fingerprint, privateKey };
}

/** Creates a key that never leaves the browser: its private half cannot be exported, not even by this page. */
export async function generateKey() {
	const pair = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
	const raw = await crypto.subtle.exportKey('raw', pair.publicKey);
	return { fingerprint: encodeBase64url(raw), privateKey: pair.privateKey };
}

/** Returns a compact JWT with these claims, signed in the browser. */
export async function signToken(claims, { privateKey }) {
	const encodePart = (value) => encodeBase64url(encoder.encode(JSON.stringify(value)));
	const content = `${encodePart({ alg: 'EdDSA', typ: 'JWT' })}.${encodePart(claims)}`;
	const signature = await crypto.subtle.sign(algorithm, privateKey, encoder.encode(content));
	return `${content}.${encodeBase64url(signature)}`;
}

function withStore(mode, runRequest) {
	return new Promise((resolve, reject) => {
		const openRequest = indexedDB.open('gatehouse-phone', 1);
		openRequest.onupgradeneeded = () => openRequest.result.createObjectStore('keys');
		openRequest.onerror = () => reject(openRequest.error);
		openRequest.onsuccess = () => {
			const database = openRequest.result;
			const transaction = database.transaction('keys', mode);
			const request = runRequest(transaction.objectStore('keys'));
			transaction.oncomplete = () => {
				database.close();
				resolve(request.result);
			};
			transaction.onerror = () => reject(transaction.error);
		};
	});
}

/** Loads the key that this browser created earlier, if any. */
export const loadKey = () => withStore('readonly', (store) => store.get('own'));

/** Stores a key for the next visit, with its revocation secret. */
export const saveKey = (key) => withStore('readwrite', (store) => store.put(key, 'own'));
