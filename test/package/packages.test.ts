import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

import pack from '../../package.json';

interface Single {
	name: string;
	folder: string;
}
type Manifest = Record<string, unknown>;

const { asText, manifestOf, singles, sourcesOf } = jest.requireActual<{
	singles: Single[];
	manifestOf: (root: string, single: Single, manifest: Manifest) => Manifest;
	sourcesOf: (root: string, single: Single, manifest: Manifest) => string[];
	asText: (manifest: Manifest) => string;
}>('../../scripts/packages');
const { codexOf, linked, publicAddress } = jest.requireActual<{
	publicAddress: (manifest: { homepage: string }) => string | undefined;
	linked: (code: string, address?: string) => string;
	codexOf: (codex: object, manifest: { name: string; homepage: string }) => Manifest;
}>('../../scripts/links');

const root = realpathSync(join(__dirname, '../..'));

describe.each(singles)('$name', (single) => {
	// n8n's scanner looks for both in the repository: a package without them cannot be verified.
	it('has a manifest of the present version in the repository', () => {
		const written = readFileSync(join(root, single.folder, 'package.json'), 'utf8');
		expect(written).toBe(asText(manifestOf(root, single, pack)));
	});

	it('has its sources beside it, and none of another service', () => {
		const sources = sourcesOf(root, single, pack);
		for (const source of sources) {
			expect(realpathSync(join(root, single.folder, source))).toBe(join(root, source));
		}
		const others = singles.filter(({ name }) => name !== single.name);
		const theirs = others.flatMap((other) => sourcesOf(root, other, pack));
		const engine = (source: string) => source.startsWith('nodes/engine');
		expect(sources.filter((source) => !engine(source) && theirs.includes(source))).toEqual([]);
		expect(existsSync(join(root, single.folder, 'nodes/engine/token'))).toBe(
			single.name.includes('identity'),
		);
	});
});

describe('links', () => {
	it.each([
		['https://gatehouse.example', undefined],
		['https://www.example.com/x', undefined],
		['https://gatehouse.dev/', 'https://gatehouse.dev'],
		['https://example.dev', 'https://example.dev'],
	])('of the homepage %s lead to %s', (homepage, address) => {
		expect(publicAddress({ homepage })).toBe(address);
	});

	const code = `class A {\n\tname = 'a';\n\n\tdocumentationUrl = 'https://gatehouse.example/credentials/a';\n}`;
	const codex = {
		node: 'n8n-nodes-gatehouse.a',
		resources: { primaryDocumentation: [{ url: 'https://gatehouse.example/nodes/a' }] },
	};

	it('are left out until there is a public address', () => {
		expect(linked(code)).not.toMatch(/documentationUrl|example/);
		expect(linked(code)).toContain("name = 'a';");
		const manifest = { name: 'n8n-nodes-a', homepage: 'https://gatehouse.example' };
		expect(codexOf(codex, manifest)).toEqual({ node: 'n8n-nodes-a.a', resources: {} });
	});

	it('are below the public address once there is one', () => {
		expect(linked(code, 'https://g.dev')).toContain(
			"documentationUrl = 'https://g.dev/credentials/a'",
		);
		const manifest = { name: 'n8n-nodes-a', homepage: 'https://g.dev' };
		expect(codexOf(codex, manifest).resources).toEqual({
			primaryDocumentation: [{ url: 'https://g.dev/nodes/a' }],
		});
	});
});
