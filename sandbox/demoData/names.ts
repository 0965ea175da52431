/** Names, country and phone prefix of one region. */
export interface Region {
	country: string;
	phonePrefix: string;
	firstNames: readonly string[];
	lastNames: readonly string[];
}

const createRegion = (
	country: string,
	phonePrefix: string,
	first: string,
	last: string,
): Region => ({
	country,
	phonePrefix,
	firstNames: first.split(', '),
	lastNames: last.split(', '),
});

/** Names with accents, apostrophes, hyphens and spaces on purpose: clients must preserve them. */
export const regions: readonly Region[] = [
	createRegion(
		'Ireland',
		'+353 1',
		'Siobhán, Tadhg, Aoife, Caoimhe, Seán, Niamh, Eoin, Róisín, Cillian, Gráinne, Pádraig, Orla',
		"O'Connor, O'Brien, Murphy, Ní Dhomhnaill, Mac Giolla, Byrne, O'Sullivan, Kavanagh, Ó Sé, Doyle",
	),
	createRegion(
		'Sweden',
		'+46 8',
		'Zoë, Åsa, Björn, Elin, Göran, Maja, Nils, Saga, Örjan, Linnéa, Viktor, Märta',
		'Lindqvist, Åkesson, Öberg, Sjöström, Nyström, Håkansson, Ekström, Bergman, Holmgren, Ljung',
	),
	createRegion(
		'Denmark',
		'+45 33',
		'Søren, Freja, Mads, Kirstine, Jørgen, Signe, Rasmus, Bjørg, Anders, Ida, Troels, Maren',
		'Kjær, Østergaard, Mørk, Bruun, Højlund, Thygesen, Damgaard, Krogh, Lauritzen, Rask',
	),
	createRegion(
		'Germany',
		'+49 30',
		'Jürgen, Käthe, Lukas, Annika, Jörg, Friederike, Moritz, Heike, Sören, Mareike, Emre, Leyla',
		'Müller, Schäfer, Weiß, Köhler, Brückner, von der Heide, Groß, Yıldırım, Löwe, Hübner, Vogt, Öztürk',
	),
	createRegion(
		'France',
		'+33 1',
		'Chloé, Maël, Anaïs, Théo, Inès, Jérôme, Zélie, François, Noémie, Loïc, Hélène, Yacine',
		"Lefèvre, d'Aubigné, Garçon, Béranger, L'Hôpital, Dupré, Marchand-Petit, Benhaddou, Rémy, Caradec",
	),
	createRegion(
		'Spain',
		'+34 91',
		'Íñigo, Begoña, Álvaro, Lucía, Jesús, Nuria, Adrián, Ángeles, Óscar, Inés, Jordi, Montserrat',
		'Núñez, García Márquez, Ibáñez, Peña, de la Cruz, Muñoz, Etxeberria, Puig i Soler, Vázquez, Ordóñez',
	),
	createRegion(
		'Poland',
		'+48 22',
		'Łukasz, Małgorzata, Wojciech, Zofia, Paweł, Agnieszka, Stanisław, Żaneta, Michał, Kinga',
		'Wiśniewska, Dąbrowski, Żółkiewski, Kaczmarek, Świątek, Gołębiowska, Nowak, Jabłoński, Pawlak',
	),
	createRegion(
		'United Kingdom',
		'+44 20',
		'Imogen, Alasdair, Priya, Rhys, Beatrix, Kofi, Eleanor, Callum, Nerys, Oluwaseun, Harriet, Tobias',
		"Okafor-Reid, MacLeod, Ap Gwilym, Chowdhury, D'Arcy, Fairweather, St. John, Mensah, Whitlock, Penhaligon",
	),
	createRegion(
		'United States',
		'+1 202',
		'Marisol, Jamal, Kaylee, DeShawn, Guadalupe, Ethan, Naomi, Wyatt, Imani, Connor, Soledad, Malik',
		"Washington, Delacroix, O'Neal, Begay, Castellanos, Hawkins, Nakamura-Lee, Whitehorse, Abernathy, Vance",
	),
	createRegion(
		'Brazil',
		'+55 11',
		'João, Conceição, Luísa, Tiago, Antônio, Débora, Caetano, Flávia, Otávio, Iara, Davi, Tainá',
		'Gonçalves, da Silva, Araújo, Conceição Neto, Magalhães, Assunção, Pinheiro, dos Anjos, Falcão',
	),
	createRegion(
		'India',
		'+91 80',
		'Ananya, Rohan, Lakshmi, Vikram, Meera, Arjun, Kavya, Siddharth, Divya, Ishaan, Padma, Nikhil',
		'Iyer, Chatterjee, Raghunathan, Deshpande, Nair, Bhattacharya, Sridhar, Kulkarni, Menon, Rao',
	),
	createRegion(
		'Japan',
		'+81 3',
		'Haruka, Kenji, Sakura, Takumi, Yūko, Ren, Aiko, Shōta, Mio, Daichi, Natsuki, Jun',
		'Satō, Itō, Kobayashi, Ōno, Yamaguchi, Endō, Matsumoto, Kurosawa, Hayashi, Fujita',
	),
	createRegion(
		'Nigeria',
		'+234 1',
		'Chinedu, Ngozi, Babátúndé, Adaeze, Emeka, Folákẹ́, Ifeoma, Tunde, Zainab, Yusuf, Amara, Obinna',
		"Adéyẹmí, Okonkwo, Eze, Balogun, Nwosu, Abubakar, Ogunleye, Ibekwe, Danjuma, N'Dour",
	),
	createRegion(
		'Vietnam',
		'+84 24',
		'Nguyệt, Đức, Thảo, Minh, Hương, Quân, Linh, Tuấn, Phương, Bảo, Trâm, Khánh',
		'Nguyễn, Trần, Lê, Phạm, Đặng, Vũ, Bùi, Hoàng, Đỗ, Lý',
	),
];

/** First parts of company names; all are fictional. */
export const companyStems: readonly string[] =
	'Brightmoor, Tarnvale, Quillmark, Ostermere, Pellgrove, Wrenfield, Halcyra, Copperlane, Sundrift, Marlowe & Thorne, Kestrelby, Luminque, Varda Nord, Eldergate, Foxhollow, Plumbline, Saltmarsh, Corvane, Nimbleford, Ashgrove, Ravenscar, Tideworth, Glasshill, Oakmere, Larkspire, Windlass, Harrowby, Stonequay, Emberley, Fennimore, Grünfels, Solbakken, Río Claro, Montclairis, Yamakaze, Opalora, Zephyrine, Ironbrook, Lindenau, Cascavelle'.split(
		', ',
	);

/** Second parts of company names. */
export const companyKinds: readonly string[] =
	'Labs, Systems, Analytics, Group, Studio, Health, Logistics, Robotics, Energy, Consulting, Media, Foundation, Software, Institute'.split(
		', ',
	);

/** Job titles. */
export const jobTitles: readonly string[] =
	'Software Engineer, Staff Engineer, Engineering Manager, Product Manager, Head of Partnerships, Data Scientist, Research Lead, Site Reliability Engineer, Solutions Architect, Chief Technology Officer, Chief Information Security Officer, Event Manager, Marketing Director, Sales Engineer, Customer Success Lead, UX Researcher, Design Director, Community Manager, Operations Lead, Founder & CEO, Professor, PhD Student, Policy Advisor, Journalist, Procurement Specialist, People & Culture Lead, Finance Director, Developer Advocate, Security Analyst, Program Coordinator'.split(
		', ',
	);
