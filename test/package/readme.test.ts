import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import pack from '../../package.json';
import { packServices } from '../support/pack';

interface Single {
	name: string;
	folder: string;
}

const { createReadme } = jest.requireActual<{
	createReadme: (root: string, single: Single, manifest: object) => string;
}>('../../scripts/packageReadme');
const { singles } = jest.requireActual<{ singles: Single[] }>('../../scripts/singlePackages');

const root = join(__dirname, '../..');

/** Returns the text below a heading of the second level. */
function section(text: string, heading: string): string {
	const [, below] = text.split(`\n## ${heading}\n`);
	return below?.split('\n## ')[0] ?? '';
}

describe.each(singles.map((single, index) => ({ single, service: packServices[index]! })))(
	'the README of $single.name',
	({ single, service }) => {
		const text = createReadme(root, single, pack);
		const node = new service.Node().description;
		const trigger = new service.Trigger!().description;
		const credential = new service.Credential();

		it('has all sections, in the order in which a newcomer needs them', () => {
			expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
				'Installation',
				'Credential',
				'First workflow in five steps',
				'Trigger',
				'Example',
				'Operations',
				'Versions',
				'Support',
				'License',
			]);
			expect(text).not.toContain('<!--');
		});

		it('says first what the package does, by the names of its nodes', () => {
			const [title, introduction] = text.split('\n\n');
			expect(title).toBe(`# ${node.displayName} for n8n`);
			expect(introduction).toContain(`**${node.displayName}**`);
			expect(introduction).toContain(`**${trigger.displayName}**`);
		});

		it('installs this package first, and allows unverified packages in the environment', () => {
			const installation = section(text, 'Installation');
			expect(installation).toContain(`enter \`${single.name}\``);
			expect(installation).toContain(`npm install ${single.name}`);
			expect(installation.indexOf(single.name)).toBeLessThan(installation.indexOf(pack.name));
			const [, recipe] = /```sh\n(N8N_[\s\S]*?)```/.exec(installation)!;
			expect(recipe).toContain('N8N_UNVERIFIED_PACKAGES_ENABLED=true');
			expect(recipe).toContain(`"name": "${single.name}", "version": "${pack.version}"`);
			expect(installation).toMatch(/n8n 3\.0 .*\(\.\.\/\.\.\/docs\/upgrading\.md#n8n-30\)/);
		});

		it('explains every field of the credential', () => {
			const below = section(text, 'Credential');
			expect(below).toContain(`**${credential.displayName}**`);
			for (const { displayName, type } of credential.properties) {
				if (type !== 'notice') expect(below).toContain(`| ${displayName} |`);
			}
		});

		it('leads to a first workflow in five steps, by an action of the node', () => {
			const steps = section(text, 'First workflow in five steps').match(/^\d\. .+$/gm)!;
			expect(steps.map((step) => step[0])).toEqual(['1', '2', '3', '4', '5']);
			const actions = node.properties
				.filter(({ name }) => name === 'operation')
				.flatMap(({ options = [] }) =>
					options.map((option) => ('action' in option ? option.action : '')),
				);
			const [, action] = /then _([^_]+)_\.$/.exec(steps[0])!;
			expect(actions).toContain(action);
		});

		it('introduces the trigger', () => {
			expect(section(text, 'Trigger')).toContain(`**${trigger.displayName}**`);
		});

		it('names the example, as it is called in n8n', () => {
			const example = readFileSync(join(root, single.folder, 'example.json'), 'utf8');
			const { name } = JSON.parse(example) as { name: string };
			expect(section(text, 'Example')).toContain('`example.json`');
			expect(section(text, 'Example')).toContain(`**${name}**`);
		});

		it('lists every operation', () => {
			const below = section(text, 'Operations');
			const allOperations = Object.values(service.service.resources).flatMap(({ operations }) =>
				Object.values(operations),
			);
			expect(below.match(/^\| /gm)).toHaveLength(allOperations.length + 2);
			for (const { name, description } of allOperations) {
				expect(below).toContain(`| ${name} | ${description.replaceAll('|', '\\|')} |`);
			}
		});

		it('has the n8n versions of the pack, without what this service does not have', () => {
			const below = section(text, 'Versions');
			expect(below).toContain('\n| 2.33 and newer | yes | yes |');
			expect(below).toContain('\n| 1.123 to 2.5 | yes | no (2.20 needed) |');
			const waits = JSON.stringify(service.service.resources).includes('"wait');
			expect(below.includes('Waiting')).toBe(waits);
			expect(below.includes('Human review')).toBe(single.name.includes('two-factor'));
		});

		it('says where to get support', () => {
			expect(section(text, 'Support')).toContain(`(${pack.bugs.url})`);
			expect(section(text, 'Support')).toContain('SECURITY.md');
		});
	},
);

it("the pack's README leads with the packages of one service, each by its name", () => {
	const install = section(readFileSync(join(root, 'README.md'), 'utf8'), 'Install');
	const [firstPackage] = install.match(/n8n-nodes-[a-z-]+/)!;
	expect(singles.map(({ name }) => name)).toContain(firstPackage);
	for (const { name } of singles) {
		expect(install).toContain(`| \`${name}\` |`);
		expect(install.indexOf(name)).toBeLessThan(install.indexOf(pack.name));
	}
});

describe('docs/installing.md', () => {
	const text = readFileSync(join(root, 'docs/installing.md'), 'utf8');

	it('allows unverified packages wherever the environment installs or loads one', () => {
		const recipes = [...text.matchAll(/```(?:sh|dockerfile)\n([\s\S]*?)```/g)]
			.map(([, recipe]) => recipe!)
			.filter((recipe) => /N8N_COMMUNITY_PACKAGES|^FROM /m.test(recipe));
		expect(recipes).toHaveLength(2);
		for (const recipe of recipes) expect(recipe).toContain('N8N_UNVERIFIED_PACKAGES_ENABLED=true');
		expect(text).toMatch(/n8n 3\.0 .*\(upgrading\.md#n8n-30\)/);
	});

	it('warns of the folder for custom extensions', () => {
		expect(text).toMatch(/`N8N_CUSTOM_EXTENSIONS` is not supported: .*`CUSTOM\.\*`/);
	});
});

it('docs/upgrading.md says what n8n does without unverified packages', () => {
	const text = section(readFileSync(join(root, 'docs/upgrading.md'), 'utf8'), 'n8n 3.0');
	expect(text).toContain('`N8N_UNVERIFIED_PACKAGES_ENABLED=false`');
	expect(text).toContain('no checksum available for … and unverified packages are disabled');
	expect(text).toMatch(/n8n 3\.0.* stop loading/);
});
