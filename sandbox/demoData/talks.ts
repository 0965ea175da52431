import type { Random } from '../random';

const topics =
	'incident reports, feature flags, passkeys, event queues, design tokens, open data, edge caches, consent forms, badge printers, call centers, release trains, schema changes, audit logs, quiet alerts, search ranking, volunteer teams, battery storage, sensor networks, ticket refunds, onboarding, screen readers, tracing, threat models, map tiles, reading rooms'.split(
		', ',
	);

const titleTemplates: ReadonlyArray<(topic: string) => string> = [
	(topic) => `What no one told us about ${topic}`,
	(topic) => `A field guide to ${topic}`,
	(topic) => `${topic[0]!.toUpperCase()}${topic.slice(1)} for small teams`,
	(topic) => `Ten years of ${topic}: what we'd keep`,
	(topic) => `Workshop: ${topic} from scratch`,
	(topic) => `Panel – who pays for ${topic}?`,
	(topic) => `Less is more: ${topic} without tears`,
	(topic) => `Measuring ${topic}`,
];

const rooms = ['Hall A', 'Hall B', 'Garden Room', 'Studio 2', 'Auditorium', 'Café Stage'];

/** Generates the title, abstract, room and capacity of one session. */
export function createTalk(random: Random): {
	title: string;
	description: string;
	location: string;
	capacity: number;
} {
	const topic = random.pick(topics);
	return {
		title: random.pick(titleTemplates)(topic),
		description: `Lessons from practice about ${topic}, with time for questions.`,
		location: random.pick(rooms),
		capacity: random.int(3, 20) * 20,
	};
}
