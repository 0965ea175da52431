import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readContract } from '../../contracts/read';
import services from '../../contracts/services.json';
import manifest from '../../package.json';
import type { PackService } from '../support/pack';

const root = join(__dirname, '../..');
const rows = Object.values(services);

/** n8n wants a credential in a class of its name. */
const classOf = (credential: string) => credential[0]!.toUpperCase() + credential.slice(1);

/** What is in a folder, sorted. */
const namesIn = (folder: string, ending: string) =>
	readdirSync(join(root, folder))
		.filter((name) => name.endsWith(ending))
		.sort();

/** What belongs to a service; what else it needs is said by the tests that look into these. */
const filesOf = (name: string, { folder, contract, credential }: (typeof rows)[number]) => [
	`contracts/${contract}`,
	`nodes/${folder}/${folder}.node.ts`,
	`nodes/${folder}/${folder}.node.json`,
	`nodes/${folder}/service.ts`,
	`credentials/${classOf(credential)}.credentials.ts`,
	`sandbox/${name}/index.ts`,
	`test/support/samples/${name}.ts`,
	`test/operations/${name}.test.ts`,
];

describe('the table of services', () => {
	it.each(Object.entries(services))('names %s, and everything of it is there', (name, row) => {
		expect(filesOf(name, row).filter((file) => !existsSync(join(root, file)))).toEqual([]);
	});

	it('names every contract', () => {
		expect(namesIn('contracts', '.yaml')).toEqual(rows.map(({ contract }) => contract).sort());
	});

	it('names every folder of nodes', () => {
		const folders = readdirSync(join(root, 'nodes'), { withFileTypes: true })
			.filter((entry) => entry.isDirectory() && entry.name !== 'engine')
			.map(({ name }) => name);
		expect(folders.sort()).toEqual(rows.map(({ folder }) => folder).sort());
	});

	it('names every credential', () => {
		const files = rows.map(({ credential }) => `${classOf(credential)}.credentials.ts`);
		expect(namesIn('credentials', '.credentials.ts')).toEqual(files.sort());
	});

	it.each(rows)(
		'has the header for the key of $title from the contract',
		({ contract, keyHeader }) => {
			const schemes = Object.values(readContract(contract).components.securitySchemes ?? {});
			const [wanted = null] = schemes.flatMap(({ type, name }) => (type === 'apiKey' ? name! : []));
			expect(keyHeader).toBe(wanted);
		},
	);

	it('has a base address of its own for each in the sandbox', () => {
		const paths = rows.map(({ sandbox }) => sandbox);
		expect(new Set(paths).size).toBe(paths.length);
		expect(paths.filter((path) => !/^\/[a-z-]+$/.test(path))).toEqual([]);
	});

	it.each(Object.entries(services))('says of %s what its node and credential say', (name, row) => {
		// Read here, so that the tests above can name what is missing.
		const { packServices } = jest.requireActual<{ packServices: PackService[] }>('../support/pack');
		const { Node, Credential, service } = packServices.find((other) => other.name === name)!;
		const { description } = new Node();
		expect(description).toMatchObject({ name, displayName: row.title });
		expect(description.credentials?.map((entry) => entry.name)).toEqual([row.credential]);
		expect(service.credential).toBe(row.credential);
		expect(new Credential().name).toBe(row.credential);
	});

	// n8n finds nodes and credentials through package.json alone, so it must say the same once more.
	it('is what package.json gives n8n', () => {
		const nodes = rows.flatMap(({ folder }) =>
			[folder, `${folder}Trigger`]
				.filter((name) => existsSync(join(root, `nodes/${folder}/${name}.node.ts`)))
				.map((name) => `dist/nodes/${folder}/${name}.node.js`),
		);
		expect(manifest.n8n.nodes).toEqual(nodes);
		expect(manifest.n8n.credentials).toEqual(
			rows.map(({ credential }) => `dist/credentials/${classOf(credential)}.credentials.js`),
		);
	});
});

/** Files that list the services since a tool wants it so. */
const allowed = ['contracts/services.json', 'package.json'];
const CODE = /\.([cm]?[jt]s|json|ya?ml)$/;
const skipped = [
	...['node_modules', 'dist', '.run', '.n8n', '.cache', '.git', 'artifacts', 'package-lock.json'],
	// Written by the build from what is checked here.
	'packages',
];

/** How many services, named within how many lines, are a list of them. */
const MANY = 4;
const NEAR = 12;

function filesBelow(folder: string): string[] {
	return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (skipped.includes(entry.name)) return [];
		if (entry.isDirectory()) return filesBelow(path);
		return CODE.test(entry.name) ? [path] : [];
	});
}

/** Whether some lines that are near each other name many services, in the spelling of any language. */
function hasList(text: string): boolean {
	const spelled = Object.keys(services).map(
		(name) => new RegExp(name.replace(/(?=[A-Z])/g, '[-_]?'), 'i'),
	);
	const lastSeen = spelled.map(() => -NEAR);
	return text.split('\n').some((line, at) => {
		spelled.forEach((name, index) => {
			if (name.test(line)) lastSeen[index] = at;
		});
		return lastSeen.filter((seen) => at - seen < NEAR).length >= MANY;
	});
}

describe('a list of services', () => {
	it.each([
		["const all = ['passwordlessIdentity', 'twoFactor', 'eventData', 'eventRegistration'];", true],
		['PasswordlessIdentity:\nTwoFactor:\nEventData:\nEventRegistration:', true],
		['- passwordless-identity\n- two-factor\n- event_data\n- event_registration', true],
		["run('twoFactor', 'eventData', 'eventRegistration')", false],
		[`passwordlessIdentity twoFactor eventData${'\n'.repeat(NEAR)}eventRegistration`, false],
	])('is known when it is seen: %j', (text, known) => {
		expect(hasList(text)).toBe(known);
	});

	it('stands in the table and nowhere else', () => {
		const found = filesBelow('.').filter((file) => hasList(readFileSync(join(root, file), 'utf8')));
		// Read it from contracts/services.json instead.
		expect(found.filter((file) => !allowed.includes(file) && file !== self)).toEqual([]);
	});
});

/** This file has lists to try itself out with. */
const self = 'test/rules/services.test.ts';
