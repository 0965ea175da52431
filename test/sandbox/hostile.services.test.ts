import { loadContract, type ContractOperation } from '../../sandbox/contract';
import { startSandbox, type Sandbox } from '../../sandbox/server';
import { serviceNames, type ServiceName } from '../../sandbox/service';

const contracts: Record<ServiceName, string> = {
	identity: 'passwordless-identity.yaml',
	twoFactor: 'two-factor.yaml',
	eventData: 'event-data.yaml',
	eventRegistration: 'event-registration.yaml',
};
const keyed = serviceNames.filter((name) => name !== 'identity');

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ registrations: 200 });
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());
afterEach(async () => {
	expect(sandbox.faults).toEqual([]);
	expect((await fetch(`${sandbox.controlUrl}/clock`)).status).toBe(200);
});

function keyOf(name: ServiceName): Record<string, string> {
	if (name === 'identity') return {};
	const { headerName, apiKey } = sandbox.demo[name];
	return { [headerName]: apiKey };
}

async function send(name: ServiceName, path: string, init: RequestInit) {
	const headers = { ...keyOf(name), ...init.headers };
	const answer = await fetch(sandbox.addresses[name] + path, { ...init, headers });
	return { status: answer.status, text: await answer.text() };
}

const fill = (path: string, value: string) =>
	path.replaceAll(/\{\w+\}/g, encodeURIComponent(value));
const json = { 'content-type': 'application/json' };
const takesJson = ({ accepts }: ContractOperation) => accepts.includes('application/json');

/** A refusal that a client can read: JSON, an object, and no word about our source. */
function expectRefusal({ status, text }: { status: number; text: string }, method: string) {
	expect(status).toBeGreaterThanOrEqual(400);
	expect(status).toBeLessThan(500);
	if (method === 'HEAD') return expect(text).toBe('');
	expect(text).not.toMatch(/\bat .*:\d+:\d+|node_modules|\.ts\b/);
	return expect(JSON.parse(text)).toEqual(expect.any(Object));
}

describe.each(serviceNames)('%s', (name) => {
	let operations: ContractOperation[];
	beforeAll(async () => {
		operations = await loadContract(contracts[name]);
	});

	it('refuses malformed JSON', async () => {
		for (const { method, path } of operations.filter(takesJson)) {
			const body = '{"a": [1, 2';
			const answer = await send(name, fill(path, '1'), { method, headers: json, body });
			expectRefusal(answer, method);
		}
	});

	it('refuses bodies of another kind', async () => {
		for (const { method, path, accepts } of operations.filter((one) => one.accepts.length > 0)) {
			expect(accepts).not.toContain('text/csv');
			const headers = { 'content-type': 'text/csv' };
			expectRefusal(await send(name, fill(path, '1'), { method, headers, body: 'a,b' }), method);
		}
	});

	it('answers JSON of the wrong shape without falling over', async () => {
		const bodies = ['null', '[]', '[[]]', '"text"', '-1', '1e999', 'true', '{"user":null}'];
		for (const { method, path } of operations.filter(takesJson)) {
			for (const body of bodies) {
				const { status } = await send(name, fill(path, '1'), { method, headers: json, body });
				expect(status).toBeLessThan(500);
			}
		}
	});

	it('refuses tokens that are none', async () => {
		const tokens = ['', 'x', 'a.b.c', 'e30.e30.', 'e30.e30.AAAA', `${'a'.repeat(20_000)}.b.c`];
		const headers = { 'content-type': 'application/jwt' };
		for (const { method, path, accepts } of operations) {
			if (!accepts.includes('application/jwt')) continue;
			for (const body of tokens) {
				const pk = fill(path.replace('{PK}', sandbox.demo.user.fingerprint), 'a'.repeat(20));
				const search = path === '/login' ? '?callback=https%3A%2F%2Fexample.com' : '';
				expectRefusal(await send(name, pk + search, { method, headers, body }), method);
			}
		}
	});

	it('answers unknown and impossible ids in its own words', async () => {
		const ids = ['999999999', '0', '-1', '1e3', "' OR 1=1 --", '../x', '%00', '💥', 'a'.repeat(43)];
		for (const { method, path, accepts } of operations) {
			if (!path.includes('{') || accepts.length > 0) continue;
			for (const id of ids) {
				const answer = await send(name, fill(path, id), { method });
				// A list of something unknown may as well be empty.
				if (answer.status === 200) continue;
				expectRefusal(answer, method);
			}
		}
	});

	it('refuses a query that the contract does not know', async () => {
		for (const { method, path, accepts } of operations) {
			if (accepts.length > 0) continue;
			const answer = await send(name, `${fill(path, '1')}?no_such_parameter=1`, { method });
			expectRefusal(answer, method);
		}
	});

	it('answers a 10 MB body with 413', async () => {
		const { method, path, accepts } = operations.find((one) => one.accepts.length > 0)!;
		const headers = { 'content-type': accepts[0]! };
		const body = JSON.stringify('x'.repeat(10 * 1024 * 1024));
		const answer = await send(name, fill(path, '1'), { method, headers, body });
		expect(answer.status).toBe(413);
		expectRefusal(answer, method);
	});

	it('answers paths and methods that do not exist', async () => {
		expect((await send(name, '/no/such/path', { method: 'GET' })).status).toBe(404);
		const { path } = operations[0]!;
		const answer = await send(name, fill(path, '1'), { method: 'OPTIONS' });
		expect(answer.status).toBe(405);
		expectRefusal(answer, 'OPTIONS');
	});
});

it.each(keyed)('%s refuses every operation without a key, and with a wrong one', async (name) => {
	const { headerName } = sandbox.demo[name as 'twoFactor'];
	for (const { method, path } of await loadContract(contracts[name])) {
		for (const headers of [undefined, { [headerName]: 'guess' }] as const) {
			const answer = await fetch(sandbox.addresses[name] + fill(path, '1'), { method, headers });
			expect([path, answer.status]).toEqual([path, 401]);
			expectRefusal({ status: answer.status, text: await answer.text() }, method);
		}
	}
});
