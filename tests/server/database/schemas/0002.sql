BEGIN TRANSACTION;
CREATE TABLE alembic_version ( version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num) );
INSERT INTO "alembic_version" VALUES('0002');
CREATE TABLE audit ( id BIGINT NOT NULL, at BIGINT NOT NULL, "by" TEXT NOT NULL, action TEXT NOT NULL, what TEXT NOT NULL, detail TEXT NOT NULL, PRIMARY KEY (id) );
CREATE TABLE devices ( id TEXT NOT NULL, guest TEXT NOT NULL, label TEXT NOT NULL, phone BOOLEAN NOT NULL, created BIGINT NOT NULL, seen BIGINT NOT NULL, ended BIGINT, PRIMARY KEY (id) );
CREATE TABLE entries ( table_id TEXT NOT NULL, seq INTEGER NOT NULL, at BIGINT NOT NULL, kind TEXT NOT NULL, seat INTEGER, word TEXT NOT NULL, number INTEGER, guest TEXT NOT NULL, "key" TEXT NOT NULL, PRIMARY KEY (table_id, seq), FOREIGN KEY(table_id) REFERENCES tables (id) ) WITHOUT ROWID ;
INSERT INTO "entries" VALUES('od1Hs9WiuoePpnGZ',0,1794985659941,'sit',0,'Ann',NULL,'guest-0','');
INSERT INTO "entries" VALUES('over',0,1000,'sit',0,'Ann',NULL,'guest-0','');
INSERT INTO "entries" VALUES('over',1,1000,'sit',1,'Bo',NULL,'guest-1','');
INSERT INTO "entries" VALUES('over',2,1000,'sit',2,'Cy',NULL,'guest-2','');
INSERT INTO "entries" VALUES('over',3,1000,'start',NULL,'',NULL,'','');
INSERT INTO "entries" VALUES('over',4,1000,'move',-1,'@0',NULL,'','');
INSERT INTO "entries" VALUES('over',5,6000,'move',2,'T',NULL,'','k5');
INSERT INTO "entries" VALUES('over',6,7000,'move',0,'4',NULL,'','k6');
INSERT INTO "entries" VALUES('over',7,8000,'move',1,'-',NULL,'','k7');
INSERT INTO "entries" VALUES('over',8,9000,'move',0,'>',NULL,'','k8');
INSERT INTO "entries" VALUES('over',9,10000,'move',1,'6',NULL,'','k9');
INSERT INTO "entries" VALUES('over',10,11000,'move',0,'1',NULL,'','k10');
INSERT INTO "entries" VALUES('over',11,12000,'move',2,'C',NULL,'','k11');
INSERT INTO "entries" VALUES('over',12,13000,'move',1,'<',NULL,'','k12');
INSERT INTO "entries" VALUES('over',13,14000,'move',2,'6',NULL,'','k13');
INSERT INTO "entries" VALUES('over',14,15000,'move',0,'3',NULL,'','k14');
INSERT INTO "entries" VALUES('over',15,16000,'move',1,'3',NULL,'','k15');
INSERT INTO "entries" VALUES('over',16,17000,'move',2,'>',NULL,'','k16');
INSERT INTO "entries" VALUES('over',17,18000,'move',0,'C',NULL,'','k17');
INSERT INTO "entries" VALUES('over',18,19000,'move',2,'1',NULL,'','k18');
INSERT INTO "entries" VALUES('over',19,20000,'move',1,'T',NULL,'','k19');
INSERT INTO "entries" VALUES('over',20,21000,'move',0,'>',NULL,'','k20');
INSERT INTO "entries" VALUES('over',21,22000,'move',0,'3',NULL,'','k21');
INSERT INTO "entries" VALUES('over',22,23000,'move',2,'2',NULL,'','k22');
INSERT INTO "entries" VALUES('over',23,24000,'move',1,'1',NULL,'','k23');
INSERT INTO "entries" VALUES('over',24,25000,'move',1,'<',NULL,'','k24');
INSERT INTO "entries" VALUES('over',25,26000,'move',1,'2',NULL,'','k25');
INSERT INTO "entries" VALUES('over',26,27000,'move',0,'-',NULL,'','k26');
INSERT INTO "entries" VALUES('over',27,28000,'move',2,'4',NULL,'','k27');
INSERT INTO "entries" VALUES('over',28,29000,'move',2,'>',NULL,'','k28');
INSERT INTO "entries" VALUES('over',29,30000,'move',1,'4',NULL,'','k29');
INSERT INTO "entries" VALUES('over',30,31000,'move',2,'1',NULL,'','k30');
INSERT INTO "entries" VALUES('over',31,32000,'move',0,'2',NULL,'','k31');
INSERT INTO "entries" VALUES('over',32,33000,'move',0,'>',NULL,'','k32');
INSERT INTO "entries" VALUES('over',33,34000,'move',2,'C',NULL,'','k33');
INSERT INTO "entries" VALUES('over',34,35000,'move',1,'3',NULL,'','k34');
INSERT INTO "entries" VALUES('over',35,36000,'move',0,'1',NULL,'','k35');
INSERT INTO "entries" VALUES('over',36,37000,'move',1,'<',NULL,'','k36');
INSERT INTO "entries" VALUES('over',37,38000,'move',2,'1',NULL,'','k37');
INSERT INTO "entries" VALUES('over',38,39000,'move',0,'-',NULL,'','k38');
INSERT INTO "entries" VALUES('over',39,40000,'move',1,'-',NULL,'','k39');
INSERT INTO "entries" VALUES('over',40,41000,'move',2,'<',NULL,'','k40');
INSERT INTO "entries" VALUES('over',41,42000,'move',1,'-',NULL,'','k41');
INSERT INTO "entries" VALUES('over',42,43000,'move',0,'-',NULL,'','k42');
INSERT INTO "entries" VALUES('over',43,44000,'move',2,'T',NULL,'','k43');
INSERT INTO "entries" VALUES('over',44,45000,'move',1,'*4',NULL,'','k44');
INSERT INTO "entries" VALUES('over',45,46000,'move',0,'4',NULL,'','k45');
INSERT INTO "entries" VALUES('over',46,47000,'move',1,'C',NULL,'','k46');
INSERT INTO "entries" VALUES('over',47,48000,'move',2,'2',NULL,'','k47');
INSERT INTO "entries" VALUES('over',48,49000,'move',1,'>',NULL,'','k48');
INSERT INTO "entries" VALUES('over',49,50000,'move',0,'T',NULL,'','k49');
INSERT INTO "entries" VALUES('over',50,51000,'move',2,'3',NULL,'','k50');
INSERT INTO "entries" VALUES('over',51,52000,'move',1,'-',NULL,'','k51');
INSERT INTO "entries" VALUES('over',52,53000,'move',2,'>',NULL,'','k52');
INSERT INTO "entries" VALUES('over',53,54000,'move',1,'T',NULL,'','k53');
INSERT INTO "entries" VALUES('over',54,55000,'move',2,'C',NULL,'','k54');
INSERT INTO "entries" VALUES('over',55,56000,'move',0,'-',NULL,'','k55');
INSERT INTO "entries" VALUES('over',56,57000,'move',0,'!3',NULL,'','k56');
INSERT INTO "entries" VALUES('over',57,58000,'move',0,'>',NULL,'','k57');
INSERT INTO "entries" VALUES('over',58,59000,'move',1,'T',NULL,'','k58');
INSERT INTO "entries" VALUES('over',59,60000,'move',2,'-',NULL,'','k59');
INSERT INTO "entries" VALUES('over',60,61000,'move',0,'-',NULL,'','k60');
INSERT INTO "entries" VALUES('over',61,62000,'move',1,'>',NULL,'','k61');
INSERT INTO "entries" VALUES('over',62,63000,'move',0,'4',NULL,'','k62');
INSERT INTO "entries" VALUES('over',63,64000,'move',2,'-',NULL,'','k63');
INSERT INTO "entries" VALUES('over',64,65000,'move',1,'2',NULL,'','k64');
INSERT INTO "entries" VALUES('over',65,66000,'move',2,'!C',NULL,'','k65');
INSERT INTO "entries" VALUES('over',66,67000,'move',2,'<',NULL,'','k66');
INSERT INTO "entries" VALUES('over',67,68000,'move',0,'1',NULL,'','k67');
INSERT INTO "entries" VALUES('over',68,69000,'move',2,'2',NULL,'','k68');
INSERT INTO "entries" VALUES('over',69,70000,'move',1,'-',NULL,'','k69');
INSERT INTO "entries" VALUES('over',70,71000,'move',0,'>',NULL,'','k70');
INSERT INTO "entries" VALUES('over',71,72000,'move',0,'4',NULL,'','k71');
INSERT INTO "entries" VALUES('over',72,73000,'move',1,'-',NULL,'','k72');
INSERT INTO "entries" VALUES('over',73,74000,'move',2,'T',NULL,'','k73');
INSERT INTO "entries" VALUES('over',74,75000,'move',1,'!2',NULL,'','k74');
INSERT INTO "entries" VALUES('over',75,76000,'move',1,'<',NULL,'','k75');
INSERT INTO "entries" VALUES('running',0,1000,'sit',0,'Ann',NULL,'guest-0','');
INSERT INTO "entries" VALUES('running',1,1000,'sit',1,'Bo',NULL,'guest-1','');
INSERT INTO "entries" VALUES('running',2,1000,'sit',2,'Cy',NULL,'guest-2','');
INSERT INTO "entries" VALUES('running',3,1000,'start',NULL,'',NULL,'','');
INSERT INTO "entries" VALUES('running',4,1000,'move',-1,'@0',NULL,'','');
INSERT INTO "entries" VALUES('running',5,6000,'move',0,'-',NULL,'','k5');
INSERT INTO "entries" VALUES('running',6,7000,'move',1,'4',NULL,'','k6');
INSERT INTO "entries" VALUES('running',7,8000,'move',2,'1',NULL,'','k7');
INSERT INTO "entries" VALUES('running',8,9000,'move',0,'!2',NULL,'','k8');
CREATE TABLE guest_status ( guest TEXT NOT NULL, logged_out BIGINT NOT NULL, name TEXT NOT NULL, renamed BIGINT NOT NULL, PRIMARY KEY (guest) );
CREATE TABLE owners ( table_id TEXT NOT NULL, seat INTEGER NOT NULL, guest TEXT NOT NULL, changed BIGINT NOT NULL, PRIMARY KEY (table_id, seat), FOREIGN KEY(table_id) REFERENCES tables (id) ) WITHOUT ROWID ;
INSERT INTO "owners" VALUES('running',0,'guest-0',9000);
INSERT INTO "owners" VALUES('over',0,'guest-0',76000);
INSERT INTO "owners" VALUES('od1Hs9WiuoePpnGZ',0,'guest-0',1794985659941);
INSERT INTO "owners" VALUES('running',1,'guest-1',9000);
INSERT INTO "owners" VALUES('over',1,'guest-1',76000);
INSERT INTO "owners" VALUES('running',2,'guest-2',9000);
INSERT INTO "owners" VALUES('over',2,'guest-2',76000);
CREATE TABLE server_state ( name TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (name) );
INSERT INTO "server_state" VALUES('secret',X'A609336C3581AFDAD5574D102A10A47975C78B4E99AD27E3D53B851865C583B2');
INSERT INTO "server_state" VALUES('alive',X'000001A1ED7B8E2A');
CREATE TABLE tables ( id TEXT NOT NULL, game TEXT NOT NULL, rules INTEGER NOT NULL, charter TEXT NOT NULL, seed BLOB NOT NULL, status TEXT NOT NULL, public BOOLEAN NOT NULL, created BIGINT NOT NULL, changed BIGINT NOT NULL, due BIGINT, length INTEGER NOT NULL, card TEXT NOT NULL, record TEXT, opener TEXT DEFAULT '' NOT NULL, size BIGINT DEFAULT '0' NOT NULL, thinned BIGINT, counted BIGINT, PRIMARY KEY (id) );
INSERT INTO "tables" VALUES('over','mauer',1,'{"type":"charter","id":"over","game":"mauer","rules":1,"options":{"rounds":"1","first":"lot","stall":"24","pieces":"TC12346"},"chairs":[{"type":"chair","kind":"human","level":""},{"type":"chair","kind":"human","level":""},{"type":"chair","kind":"human","level":""}],"public":true,"seconds_per_move":0,"bot_delay_ms":800,"hints":true,"commitment":"630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd","created":1000,"before":"","opener":"","moves":[],"dice":"server","clock":{"type":"clock","total":0,"increment":0,"forfeits":false,"days_off":0,"night":-1},"spectator_delay":0,"chat":"phrases","rated":false,"language":"","evening":""}',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F','over',1,1000,76000,NULL,76,'{"type":"card","id":"over","game":"mauer","seats":3,"public":true,"status":"over","created":1000,"changed":76000,"names":["Ann","Bo","Cy"],"levels":["","",""],"waiting":[],"due":null,"ranks":[3,1,2],"points":[25,0,17],"seconds_per_move":0,"clock":{"type":"clock","total":0,"increment":0,"forfeits":false,"days_off":0,"night":-1},"rated":false,"language":"","turn":76000,"late":false}','mauer/1 seats=3 rounds=1 first=lot stall=24
~:@0
2:T 0:4 1:- 0:>
1:6 0:1 2:C 1:<
2:6 0:3 1:3 2:>
0:C 2:1 1:T 0:>
0:3 2:2 1:1 1:<
1:2 0:- 2:4 2:>
1:4 2:1 0:2 0:>
2:C 1:3 0:1 1:<
2:1 0:- 1:- 2:<
1:- 0:- 2:T 1:*4
0:4 1:C 2:2 1:>
0:T 2:3 1:- 2:>
1:T 2:C 0:- 0:!3 0:>
1:T 2:- 0:- 1:>
0:4 2:- 1:2 2:!C 2:<
0:1 2:2 1:- 0:>
0:4 1:- 2:T 1:!2 1:<
= 0:25 1:0 2:17 out
# fair seed=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f commitment=630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd numbers=4-75
','',7024,NULL,NULL);
INSERT INTO "tables" VALUES('running','mauer',1,'{"type":"charter","id":"running","game":"mauer","rules":1,"options":{"rounds":"1","first":"lot","stall":"24","pieces":"TC12346"},"chairs":[{"type":"chair","kind":"human","level":""},{"type":"chair","kind":"human","level":""},{"type":"chair","kind":"human","level":""}],"public":true,"seconds_per_move":0,"bot_delay_ms":800,"hints":true,"commitment":"630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd","created":1000,"before":"","opener":"","moves":[],"dice":"server","clock":{"type":"clock","total":0,"increment":0,"forfeits":false,"days_off":0,"night":-1},"spectator_delay":0,"chat":"phrases","rated":false,"language":"","evening":""}',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F','running',1,1000,9000,NULL,9,'{"type":"card","id":"running","game":"mauer","seats":3,"public":true,"status":"running","created":1000,"changed":9000,"names":["Ann","Bo","Cy"],"levels":["","",""],"waiting":[0],"due":null,"ranks":[],"points":[],"seconds_per_move":0,"clock":{"type":"clock","total":0,"increment":0,"forfeits":false,"days_off":0,"night":-1},"rated":false,"language":"","turn":9000,"late":false}',NULL,'',1949,NULL,NULL);
INSERT INTO "tables" VALUES('od1Hs9WiuoePpnGZ','mauer',1,'{"type":"charter","id":"od1Hs9WiuoePpnGZ","game":"mauer","rules":1,"options":{"rounds":"4","first":"0","stall":"24","pieces":"TC12346"},"chairs":[{"type":"chair","kind":"human","level":""},{"type":"chair","kind":"open","level":""},{"type":"chair","kind":"open","level":""}],"public":false,"seconds_per_move":0,"bot_delay_ms":800,"hints":true,"commitment":"bc117f7b05015c94dee6f67193d9f30962cc8c10a586e3fc28471f7d990a26eb","created":1794985659941,"before":"","opener":"guest-0","moves":[],"dice":"server","clock":{"type":"clock","total":0,"increment":0,"forfeits":false,"days_off":0,"night":-1},"spectator_delay":0,"chat":"phrases","rated":false,"language":"","evening":""}',X'B11A2C19954EDD0D16CA8B613B668E8B4A12727F3C89DF0637A3FD8267358693','open',0,1794985659941,1794985659941,NULL,1,'{"type":"card","id":"od1Hs9WiuoePpnGZ","game":"mauer","seats":3,"public":false,"status":"open","created":1794985659941,"changed":1794985659941,"names":["Ann","",""],"levels":["","",""],"waiting":[],"due":null,"ranks":[],"points":[],"seconds_per_move":0,"clock":{"type":"clock","total":0,"increment":0,"forfeits":false,"days_off":0,"night":-1},"rated":false,"language":"","turn":0,"late":false}',NULL,'guest-0',1439,NULL,NULL);
CREATE INDEX tables_by_opener ON tables (opener, size);
CREATE INDEX tables_uncounted ON tables (changed, id) WHERE status = 'over' AND counted IS NULL;
CREATE INDEX tables_by_change ON tables (status, public, changed, id);
CREATE INDEX tables_by_due ON tables (due) WHERE due IS NOT NULL;
CREATE INDEX devices_by_guest ON devices (guest);
CREATE INDEX entries_by_guest ON entries (guest, table_id) WHERE guest <> '';
CREATE INDEX owners_by_guest ON owners (guest, changed, table_id);
COMMIT;
