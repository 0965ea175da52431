import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';

import services from '../contracts/services.json';

/** An Ed25519 key as a JWK. `x` is also the fingerprint that the identity service uses. */
export interface DemoKey {
	fingerprint: string;
	privateJwk: { kty: 'OKP'; crv: 'Ed25519'; x: string; d: string };
	publicJwk: { kty: 'OKP'; crv: 'Ed25519'; x: string };
	/** The private key as PKCS #8 PEM, the format of the credential. */
	privatePem: string;
}

/** The services that expect an API key in a header. */
type ApiKeyService = {
	[Name in keyof typeof services]: (typeof services)[Name]['keyHeader'] extends string
		? Name
		: never;
}[keyof typeof services];

/** Keys and people for trying the pack. Public by design: worthless outside the sandbox. */
export type Demo = DemoPeople & Record<ApiKeyService, { apiKey: string; headerName: string }>;

interface DemoPeople {
	/** Signs scope jobs (`iss`). Registered with the identity service from the start. */
	application: DemoKey;
	/** The guest (`sub`): signs in, registers, receives codes. Registered from the start. */
	user: DemoPerson;
	/** The person who approves actions. Registered from the start. */
	manager: DemoPerson;
	/** Decides after or beside the manager where several people approve. Registered from the start. */
	finance: DemoPerson;
	/** Is asked where others have not answered. Registered from the start. */
	deputy: DemoPerson;
}

/** A person with a key and a phone. */
export interface DemoPerson extends DemoKey {
	name: string;
	email: string;
	countryCode: string;
	phoneNumber: string;
	/** E.164 format, such as +12025550143. */
	phone: string;
	address: string;
}

/** The people with a phone in the sandbox, by the name in the page's address (`/phone?user=manager`). */
export const demoPersonByHolder = {
	guest: 'user',
	manager: 'manager',
	finance: 'finance',
	deputy: 'deputy',
} as const;
export type PhoneHolder = keyof typeof demoPersonByHolder;

const demoKeysByName = new Map<string, DemoKey>();

/** Derives an Ed25519 key from a name, so that no key material is stored in the project. Each key is derived once per process. */
export function deriveDemoKey(name: string): DemoKey {
	const demoKey = demoKeysByName.get(name) ?? deriveKey(name);
	demoKeysByName.set(name, demoKey);
	return structuredClone(demoKey);
}

function deriveKey(name: string): DemoKey {
	const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
	const secret = createHash('sha256').update(`gatehouse sandbox: ${name}`).digest();
	const privateKey = createPrivateKey({
		key: Buffer.concat([pkcs8Prefix, secret]),
		format: 'der',
		type: 'pkcs8',
	});
	const { x } = createPublicKey(privateKey).export({ format: 'jwk' }) as { x: string };
	const publicJwk = { kty: 'OKP', crv: 'Ed25519', x } as const;
	return {
		fingerprint: x,
		publicJwk,
		privateJwk: { ...publicJwk, d: secret.toString('base64url') },
		privatePem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
	};
}

/** Returns an API key for each service that expects one. */
function createDemoApiKeys() {
	const keys = Object.entries(services).flatMap(([name, { sandbox, keyHeader: headerName }]) =>
		headerName === null ? [] : [[name, { apiKey: `demo-${sandbox.slice(1)}-key`, headerName }]],
	);
	return Object.fromEntries(keys) as Pick<Demo, ApiKeyService>;
}

/** Returns the demo keys and people: the same at every start, on every machine. */
export function createDemo(): Demo {
	return {
		application: deriveDemoKey('application'),
		user: createDemoPerson('user', 'Robin Castellan', '2025550143', '1 Gate Lane, Bath'),
		manager: createDemoPerson('manager', 'Morgan Ellery', '2025550142', '2 Harbor Street, Bath'),
		finance: createDemoPerson('finance', 'Frances Okoye', '2025550141', '3 Mill Road, Bath'),
		deputy: createDemoPerson('deputy', 'Dana Whitlock', '2025550140', '4 Orchard Row, Bath'),
		...createDemoApiKeys(),
	};
}

function createDemoPerson(
	key: string,
	name: string,
	phoneNumber: string,
	address: string,
): DemoPerson {
	const countryCode = '1';
	return {
		...deriveDemoKey(key),
		name,
		email: `${name.toLowerCase().replace(' ', '.')}@example.com`,
		countryCode,
		phoneNumber,
		phone: `+${countryCode}${phoneNumber}`,
		address,
	};
}
