// Protects the sandbox from malformed requests: each service rejects them in its own format, without a trace of the code.
import services from '../../contracts/services.json';
import { loadContract } from '../../sandbox/contract';
import type { ContractOperation } from '../../sandbox/contract';
import { startSandbox } from '../../sandbox/server';
import type { Sandbox } from '../../sandbox/server';
import { serviceNames } from '../../sandbox/service';
import type { ServiceName } from '../../sandbox/service';
import { PasswordlessIdentityClient } from './passwordlessIdentity.fixture';

const servicesWithKey = serviceNames.filter((name) => services[name].keyHeader !== null);

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ registrations: 200 });
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());
afterEach(async () => {
	expect(sandbox.internalErrors).toEqual([]);
	expect((await fetch(`${sandbox.controlUrl}/clock`)).status).toBe(200);
});

function keyHeaders(name: ServiceName): Record<string, string> {
	const { keyHeader, credential } = services[name];
	return keyHeader === null ? {} : { [keyHeader]: sandbox.credentials[credential]!.apiKey! };
}

async function send(name: ServiceName, path: string, init: RequestInit) {
	const headers = { ...keyHeaders(name), ...init.headers };
	const response = await fetch(sandbox.addresses[name] + path, { ...init, headers });
	return { status: response.status, text: await response.text() };
}

const fillPath = (path: string, value: string) =>
	path.replaceAll(/\{\w+\}/g, encodeURIComponent(value));
const json = { 'content-type': 'application/json' };
const acceptsJson = ({ accepts }: ContractOperation) => accepts.includes('application/json');

/** Expects one of the statuses and a JSON object that contains nothing about the source code. */
function expectRejection(
	{ status, text }: { status: number; text: string },
	{ method, path }: { method: string; path: string },
	expectedStatuses: number[],
) {
	expect({ method, path, status, isExpected: expectedStatuses.includes(status) }).toMatchObject({
		isExpected: true,
	});
	if (method === 'HEAD') return expect(text).toBe('');
	expect(text).not.toMatch(/\bat .*:\d+:\d+|node_modules|\.ts\b/);
	return expect(JSON.parse(text)).toEqual(expect.any(Object));
}

describe.each(serviceNames)('%s', (name) => {
	let operations: ContractOperation[];
	beforeAll(async () => {
		operations = await loadContract(services[name].contract);
	});

	it('rejects malformed JSON', async () => {
		const jsonOperations = operations.filter(acceptsJson);
		expect(jsonOperations).not.toEqual([]);
		for (const operation of jsonOperations) {
			const { method, path } = operation;
			const body = '{"a": [1, 2';
			const response = await send(name, fillPath(path, '1'), { method, headers: json, body });
			expectRejection(response, operation, [400]);
		}
	});

	it('rejects bodies of another content type', async () => {
		for (const operation of operations.filter(({ accepts }) => accepts.length > 0)) {
			const { method, path, accepts } = operation;
			expect(accepts).not.toContain('text/csv');
			const headers = { 'content-type': 'text/csv' };
			const response = await send(name, fillPath(path, '1'), { method, headers, body: 'a,b' });
			expectRejection(response, operation, [415]);
		}
	});

	it('rejects JSON of the wrong shape', async () => {
		const bodies = ['null', '[]', '[[]]', '"text"', '-1', '1e999', 'true', '{"user":null}'];
		for (const operation of operations.filter(acceptsJson)) {
			const { method, path } = operation;
			for (const body of bodies) {
				const response = await send(name, fillPath(path, '1'), { method, headers: json, body });
				expectRejection(response, operation, [400, 404]);
			}
		}
	});

	it('responds to unknown and impossible IDs in its own error format', async () => {
		const ids = ['999999999', '0', '-1', '1e3', "' OR 1=1 --", '../x', '%00', '💥', 'a'.repeat(43)];
		const idOperations = operations.filter(
			({ path, accepts }) => path.includes('{') && !accepts.length,
		);
		expect(idOperations).not.toEqual([]);
		for (const operation of idOperations) {
			const { method, path } = operation;
			for (const id of ids) {
				const response = await send(name, fillPath(path, id), { method });
				expectRejection(response, operation, [400, 404]);
			}
		}
	});

	it('rejects a query parameter that is not in the contract', async () => {
		const bodilessOperations = operations.filter(({ accepts }) => accepts.length === 0);
		expect(bodilessOperations).not.toEqual([]);
		for (const operation of bodilessOperations) {
			const { method, path } = operation;
			const response = await send(name, `${fillPath(path, '1')}?no_such_parameter=1`, { method });
			expectRejection(response, operation, [400]);
			if (method !== 'HEAD') expect(response.text).toContain('no_such_parameter');
		}
	});

	it('responds to a 10 MB body with 413', async () => {
		const operation = operations.find(({ accepts }) => accepts.length > 0)!;
		const { method, path, accepts } = operation;
		const headers = { 'content-type': accepts[0]! };
		const body = JSON.stringify('x'.repeat(10 * 1024 * 1024));
		const response = await send(name, fillPath(path, '1'), { method, headers, body });
		expectRejection(response, operation, [413]);
	});

	it('responds 404 to an unknown path and 405 to an unknown method', async () => {
		expect((await send(name, '/no/such/path', { method: 'GET' })).status).toBe(404);
		const { path } = operations[0]!;
		const response = await send(name, fillPath(path, '1'), { method: 'OPTIONS' });
		expectRejection(response, { method: 'OPTIONS', path }, [405]);
	});
});

it('passwordlessIdentity rejects invalid tokens', async () => {
	const tokens = ['', 'x', 'a.b.c', 'e30.e30.', 'e30.e30.AAAA', `${'a'.repeat(20_000)}.b.c`];
	const headers = { 'content-type': 'application/jwt' };
	const operations = await loadContract(services.passwordlessIdentity.contract);
	const tokenOperations = operations.filter(({ accepts }) => accepts.includes('application/jwt'));
	expect(tokenOperations).not.toEqual([]);
	// The key and the job exist, so that only the token can be wrong.
	const job = await new PasswordlessIdentityClient(sandbox).createJob();
	for (const operation of tokenOperations) {
		const { method, path } = operation;
		const existingPath = path.replace('{PK}', sandbox.demo.user.fingerprint).replace('{job}', job);
		const search = path === '/login' ? '?callback=https%3A%2F%2Fexample.com' : '';
		for (const body of tokens) {
			const response = await send('passwordlessIdentity', existingPath + search, {
				method,
				headers,
				body,
			});
			expectRejection(response, operation, [400, 401]);
		}
	}
});

it.each(servicesWithKey)(
	'%s rejects every operation without a key, and with a wrong one',
	async (name) => {
		for (const operation of await loadContract(services[name].contract)) {
			const { method, path } = operation;
			for (const headers of [undefined, { [services[name].keyHeader!]: 'guess' }] as const) {
				const response = await fetch(sandbox.addresses[name] + fillPath(path, '1'), {
					method,
					headers,
				});
				expectRejection({ status: response.status, text: await response.text() }, operation, [401]);
			}
		}
	},
);
